import type { Translation } from '../english.ts';

export const groups: Translation['groups'] = {
  Test: '테스트',
  Look: '조회',
  Steer: '제어',
  'Set up': '설정',
};

export const pages: Translation['pages'] = {
  Overview: '개요',
  'Guided tests': '가이드 테스트',
  'Withdrawal test': '출금 테스트',
  'Deposit test': '입금 테스트',
  Checks: '적합성 검사',
  Check: '검사 결과',
  Send: '요청 보내기',
  IVMS101: 'IVMS101',
  Verifications: '검증 목록',
  Verification: '검증',
  Callbacks: '콜백',
  Exchanges: 'HTTP 기록',
  Money: '자금',
  Assessments: '리스크 평가',
  Time: '시간',
  Faults: '장애 주입',
  Chains: '체인',
  'Transaction on chain': '온체인 트랜잭션',
  Users: '사용자',
  User: '사용자',
  'My VASP': '내 VASP',
  Keys: 'API 키',
  Usage: '사용량',
  Operator: '운영자',
  Guide: '가이드',
  API: 'API',
  'Not found': '페이지를 찾을 수 없음',
};

export const frame: Translation['frame'] = {
  skip: '본문으로 건너뛰기',
  pages: '페이지',
  pagesOf: group => `${group} 페이지`,
  breadcrumbs: '현재 위치',
  menu: '메뉴',
  find: '전체 검색',
  language: '언어',
  zone: 'UTC와 현지 시간 전환',
  signedIn: '로그인한 VASP',
  noForm: '본문이 양식 형식이 아닙니다. 페이지와 같은 형식으로 보내세요.',
  noSuchEntry: '해당 항목이 없거나 다른 VASP의 것입니다. {list} 목록에서 선택하세요.',
  noSuchPage: '해당 페이지가 없습니다. [개요](/console)로 가거나 메뉴에서 페이지를 선택하세요.',
  conditions: '샌드박스 상태',
  held: chains => `**${chains}** 블록 생성 중지: 트랜잭션이 블록에 포함되지 않습니다`,
  faults: count => `주입된 장애 **${count}건** 적용 중`,
  apiCall: 'API 호출',
  timeMoved: duration => `시간 이동: 실제 시간보다 **${duration}** 앞섬`,
};

export const scripts: Translation['scripts'] = {
  copy: '복사',
  copied: '복사됨',
  localTime: '현지 시간',
  local: '현지',
  serverGone:
    '서버가 응답하지 않습니다. 이 페이지의 내용이 최신이 아닐 수 있습니다. 서버가 복구되면 자동으로 갱신됩니다.',
  streamBroken: '실시간 갱신이 중단되었습니다. 이 페이지의 내용이 최신이 아닐 수 있습니다.',
  keys: '단축키',
  close: '닫기',
  keySearch: '전체 검색',
  keyPalette: '모든 페이지와 작업의 목록 열기',
  keyKeys: '단축키 목록',
  keyRows: '첫 번째 표의 다음 행, 이전 행',
  keyOpen: '선택한 행 열기',
  keyNeighbours: '다음 검증, 이전 검증',
  paletteTitle: '페이지 또는 작업으로 이동',
  paletteHint: '페이지, 작업 또는 검색어',
  paletteField: '페이지 또는 작업',
  paletteSearch: '검색',
};

export const palette: Translation['palette'] = {
  open: '진행 중인 검증',
  denied: '거부된 검증',
  givenUp: '전송을 포기한 콜백',
  unanswered: '응답이 없는 HTTP 요청',
  slow: '느린 HTTP 요청',
  advance: '시간 앞당기기',
  fault: '장애 주입하기',
  faucet: '포싯(faucet) 사용하기',
  addUser: '사용자 추가하기',
  callEndpoints: '내 엔드포인트 호출해 보기',
};

export const overview: Translation['overview'] = {
  yourVasp: '내 VASP',
  counterpart: '상대 VASP',
  sandboxTime: '샌드박스 시간',
  sameTime: '실제 시간과 동일',
  ahead: duration => `실제 시간보다 ${duration} 앞섬`,
  advance: '시간 앞당기기',
  state: '상태',
  attention: '확인이 필요한 항목',
  calm: '현재 확인할 항목이 없습니다.',
  replayAll: '모두 다시 전송',
  why: '원인',
  firstSteps: '시작하기',
  firstStepsFolded: '시작하기와 설정할 주소',
  resultsByHour: '시간대별 결과',
  latencies: '내 VASP의 응답 시간',
  latestVerifications: '최근 검증',
  noVerification: '아직 검증이 없습니다. [첫 검증 요청 보내기](/console/send)',
  latestCallbacks: '최근 콜백',
  noCallback: '아직 콜백이 없습니다. 검증이 끝나면 첫 콜백이 전송됩니다.',
};

export const firstSteps: Translation['firstSteps'] = {
  configure:
    '내 VASP에 이 주소를 설정하세요: {address}. 인클레이브의 `{base_url}`과 로봇의 `{robot_base_url}`로 사용합니다.',
  withdraw:
    '내 VASP에서 {robot}(vaspId {vaspId})으로 출금하세요. [로봇의 사용자](/console/users) 중 한 명의 주소를 선택하세요.',
  endpoints: '[내 VASP](/console/settings)에 엔드포인트를 입력하고 샌드박스가 호출하게 하세요.',
  send: '[요청 보내기](/console/send)에는 모든 요청과 로봇의 모든 동작에 대한 양식이 준비되어 있습니다. 내 VASP가 없어도 사용해 볼 수 있습니다.',
  time: '기다리지 말고 [시간을 앞당기세요](/console/timers).',
  ledgers: '이 페이지에 있는 체인으로 송금하세요. 이 프로그램 안에서 실행되는 실제 원장입니다.',
  api: '[API 문서](/docs)에 모든 요청과 오류가 있습니다.',
};

export const docs: Translation['docs'] = {
  needsScripts:
    '이 페이지를 보려면 JavaScript가 필요합니다. 위의 openapi.json 링크에서 문서 원본을 볼 수 있습니다.',
  snippets:
    '[API 문서](/docs)에 이 작업에 대한 설명이 있습니다. Python 코드는 `requests` 패키지를 사용합니다.',
};

export const time: Translation['time'] = {
  now: '지금',
  ago: distance => `${distance} 전`,
  ahead: distance => `${distance} 후`,
  d: '일',
  h: '시간',
  min: '분',
  s: '초',
};
