import type { Translation } from '../english.ts';

export const guide: Translation['guide'] = {
  intro: '이 샌드박스로 트래블룰 연동을 테스트하는 방법을 장별로 설명합니다.',
  codesAndApi: codes =>
    `모든 코드에는 의미와 조치 방법을 설명하는 페이지가 있습니다: [전체 코드](${codes}). 모든 API와 필드는 [API 문서](/docs)에 있습니다.`,
  search: '검색',
  searchTheGuide: '가이드 검색',
  chapters: '목차',
  contents: '목차',
  codes: '코드',
  nothingContains: query => `“${query}” 검색 결과가 없습니다. 검색어를 줄여 보세요.`,
  noSuchPage: '가이드에 해당 페이지가 없습니다. 목차에서 선택하거나 검색하세요.',
  onlyInEnglish: '이 장은 아직 한국어로 번역되지 않아 영어로 표시합니다.',
  asRefusal: '요청 거절 코드',
  asReason: '검증 사유 코드',
  asVerdict: '트랜잭션 보고에 대한 판정',
  asRemark: '지적 사항 코드',
  refusal: '요청 거절',
  reason: '검증 사유',
  verdict: '보고 판정',
  remark: '지적 사항',
  whatToDo: '조치:',
  answeredBy: '응답하는 API:',
  decides: '결정하는 쪽:',
  beneficiary: '수취 VASP(여기서는 로봇)',
  enclave: '인클레이브',
  provoke: '직접 재현하기',
  provokeInShell: '셸에서 curl 명령 출력:',
  everyOperation: '모든 API',
};

/** Each has a file in `guide/chapters/ko`. */
export const chapters: Translation['chapters'] = {
  console: '콘솔',
  time: '시간',
  callbacks: '콜백과 메일박스',
  'your-vasp': '내 VASP 연결하기',
  'your-users': '내 사용자에게 보여 줄 내용',
  production: '운영 환경과 다른 점',
};
