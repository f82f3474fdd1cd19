import type { Translation } from '../english.ts';

export const settings: Translation['settings'] = {
  yourVasp: '주소와 토큰',
  check: '엔드포인트 점검',
  checkMeaning:
    '인클레이브가 각 엔드포인트에 데이터를 변경하지 않는 예시 요청을 하나씩 보냅니다. 실제 요청과 같은 방식으로 보냅니다.',
  callNow: '지금 내 엔드포인트 호출하기',
  environment: '환경 변수',
  environmentUse:
    '`docker run --env-file`의 파일로 사용하세요. 컨테이너 안에서 `127.0.0.1`은 컨테이너 자신을 가리킵니다. 내 VASP의 서비스 이름이나 `host.docker.internal`을 사용하세요.',
  theVariables: '환경 변수',
  startOver: '처음부터 다시 시작',
  removeAll: '내 VASP의 모든 데이터 제거',
  removeWarning: name =>
    `${name}의 모든 검증, 콜백, 송금, 타이머, HTTP 기록을 제거합니다. 등록 정보와 다른 VASP, 체인은 유지됩니다.`,
  removed: '데이터를 제거했습니다. 샌드박스 시간이 실제 시간으로 돌아왔습니다.',
  saved: '저장했습니다. 다음 호출부터 적용됩니다.',
  savedAnd: outcome => `저장했습니다. ${outcome}`,
  allCorrect: '모든 엔드포인트가 올바르게 응답했습니다.',
  haveProblem: (wrong, all) => `엔드포인트 ${all}개 중 ${wrong}개에 문제가 있습니다.`,
  answers: '내 엔드포인트의 응답',
  endpoint: '엔드포인트',
  result: '결과',
  status: '상태 코드',
  duration: '응답 시간',
  problem: '문제와 조치',
  requestAndAnswer: '요청과 응답',
  noAnswer: '응답이 없습니다.',
  name: '이름',
  header: '인증 헤더',
  headerHelp: 'Authorization 헤더에는 “Bearer <token>”을, 다른 헤더에는 토큰만 담아 보냅니다.',
  token: '토큰',
  providerKeys: '스크리닝 제공자의 키',
  providerKeysHelp:
    '설정 파일의 키를 대신합니다. 잘못된 키를 입력하면 401, 403, 404 응답을 시험할 수 있습니다.',
  save: '저장',
  saveAndCall: '저장하고 지금 내 엔드포인트 호출하기',
  isSet: '설정됨(유지하려면 비워 두세요)',
  notSet: '설정되지 않음',
  neverShown: '설정되어 있으며 화면에 표시되지 않습니다.',
  remove: '제거',
};

export const settingsFields: Translation['settingsFields'] = {
  verifyUser: '사용자 검증',
  verifyUserHelp: '입금 테스트: 이 송금인이 내 고객에게 송금해도 되는지 묻습니다.',
  verifyAccount: '계정 검증',
  verifyAccountHelp: '입금 테스트: 이 주소가 내 고객의 것인지 묻습니다.',
  transactionStatus: '트랜잭션 상태',
  transactionStatusHelp: '보고하지 않은 출금 테스트: 내 트랜잭션의 상태를 묻습니다.',
  callback: '콜백',
  callbackHelp: '결과와 보고를 받습니다. 주소가 없으면 메일박스에 보관됩니다.',
  sanctionApiKey: 'Provider A: 제재 대상 스크리닝 키',
  kytApiKey: 'Provider A: 트랜잭션 모니터링 키',
  wcoApiKey: 'Provider B: 인물 스크리닝 키',
  wcoGroupId: 'Provider B: 그룹 ID',
};
