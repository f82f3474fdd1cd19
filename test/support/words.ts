/**
 * Words that must not come back, over `src/` and the README. Add what you have cleaned: the test fails where it stands.
 * `why` is what to write instead.
 */
export const WORDS: readonly { pattern: RegExp; why: string }[] = [
  // Old names.
  { pattern: /\b(?:userOfNumber|nextNumber|settledNumber)\b/, why: 'nonce and sequence, as the ledgers say' },
  {
    pattern: /\b(?:writeTogether|askTogether|appendRow|preparedInsert)\b/,
    why: 'groupCommit, coalesce, insertRow',
  },
  { pattern: /\b(?:originatedBy|slowKinds|beginSlow|whoAsks)\b/, why: 'the names of the enclave today' },
  { pattern: /\bTELLINGS?\b|\btellings?\b/, why: 'history' },
  {
    pattern: /\bdeps\.ids\b|\.chance\(\)|\bnow\(''\)/,
    why: 'Random.uuid(), Random.fraction(), clock.machineNow()',
  },
  { pattern: /\b(?:adoptHistory|forgetOwnHistory)\b/, why: 'attributeHistory, deleteOwnHistory' },
  { pattern: /\bis_settled\b|\bsettledAt\b/, why: 'credited, final or idle' },
  { pattern: /\b(?:stor(?:y|ies)|isNews|happening)\b/i, why: 'timeline or history' },
  { pattern: /\b(?:ticked|bell)\b/i, why: 'inline code, mailbox notifier' },
  {
    pattern: /\b(?:own-account|write-together|ask-together|slow-kinds|begin-slow|who-asks|provider-call)\b/,
    why: 'the file names of today',
  },
  // Clause numbers without a document.
  { pattern: /\u00a7/, why: 'a clause id: REF-4.6.8' },
  // Riddles.
  { pattern: /\bin vain\b/i, why: 'failed calls, failed attempts' },
  { pattern: /\bof its own kind\b/, why: 'the kind by its name' },
  { pattern: /\bis one more than\b/, why: 'the limit: at most 100' },
  { pattern: /\bhas not answered in time\b/, why: 'must answer by then, or: did not answer within 30s' },
  { pattern: /\bis not decimal text of 64 bits\b/, why: 'should be decimal text that fits …' },
  { pattern: /\bthat fits an event hits it\b/, why: 'the oldest matching fault applies' },
  { pattern: /\bat their heart\b|\bwhat asks together\b/, why: 'a plain noun' },
];

/** Variables named after a sentence instead of a thing. */
export const VARIABLES = /\b(?:const|let|function)\s+(?:told|said|known|given|taken|news)\b/;
