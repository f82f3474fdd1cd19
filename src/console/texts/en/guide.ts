/** English texts around the chapters of the guide. Chapters are Markdown files. */

export const guide = {
  intro: 'How to test a Travel Rule integration against this sandbox, chapter by chapter.',
  codesAndApi: (codes: string) =>
    `Every code has a page with its meaning and advice: [all codes](${codes}). Every operation with its fields stands in the [API document](/docs).`,
  search: 'Search',
  searchTheGuide: 'Search the guide',
  chapters: 'Chapters',
  contents: 'Contents',
  codes: 'Codes',
  nothingContains: (query: string) => `Nothing contains “${query}”. Try fewer words.`,
  noSuchPage: 'The guide has no such page. Choose a chapter, or search.',
  onlyInEnglish: 'This chapter is not translated yet. It is shown in English.',
  asRefusal: 'As refusal',
  asReason: 'As reason',
  asVerdict: 'As verdict of a report',
  asRemark: 'As remark',
  refusal: 'refusal',
  reason: 'reason',
  verdict: 'verdict of a report',
  remark: 'remark',
  whatToDo: 'What to do:',
  answeredBy: 'Answered by',
  everyOperation: 'every operation',
};
