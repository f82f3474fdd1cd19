import type { Translation } from '../english.ts';

export const faults: Translation['faults'] = {
  active: '적용 중인 장애',
  none: '적용 중인 장애가 없으며 모두 정상 동작합니다. 아래에서 장애를 추가하세요.',
  add: '장애 추가',
  intro:
    '대상을 고른 다음 방식을 선택하세요. 한 이벤트에 여러 장애가 해당하면 가장 먼저 추가한 장애가 적용됩니다. 장애는 “적용 횟수”만큼 적용되며, 비워 두면 제거할 때까지 계속 적용됩니다.',
  noSuchTarget: '해당 대상이 없습니다. 위에서 선택하세요.',
  added: (mode, target) => `추가했습니다: ${target}의 ${mode}.`,
  removed: '장애를 제거했습니다.',
  allRemoved: count => `장애 ${count}건을 제거했습니다.`,
  target: '대상',
  verificationField: '검증(비워 두면 내 VASP의 모든 검증)',
  showModes: '방식 보기',
  ofVerification: '대상 검증:',
  ofEvery: '(내 VASP의 모든 검증)',
  caption: '적용 중인 장애(오래된 순)',
  mode: '방식',
  applied: '적용 횟수',
  left: '남은 횟수',
  untilRemoved: '제거할 때까지',
  times: count => `${count}회`,
  addedAt: '추가 시각',
  allOfYours: '내 VASP 전체',
  remove: '제거',
  removeThis: (mode, target) => `제거: ${target}의 ${mode}`,
  removeAll: count => `${count}건 모두 제거`,
  addShort: '추가',
  addMode: mode => `추가: ${mode}`,
  delay: '지연 시간',
  status: '상태 코드',
  code: '오류 코드',
  message: '메시지',
  messageHint: '오류 메시지',
  howOften: '적용 횟수',
};

export const chains: Translation['chains'] = {
  hold: '보류',
  release: '해제',
  runs: '실행 위치',
  inside: '이 프로그램 내부',
  outside: '외부(URL로 설정)',
  address: '주소',
  newestBlock: '최신 블록',
  unknown: '알 수 없음',
  readByRobot: '로봇이 읽은 위치',
  upTo: height => `${height}까지`,
  onlyOperator: '모든 VASP가 이 체인을 함께 사용합니다. 운영자만 제어할 수 있습니다.',
  noControls:
    '외부에서 실행되는 체인이므로 콘솔에서 제어하거나 포싯(faucet)을 사용할 수 없습니다. URL 없이 프로그램을 시작하면 두 기능을 모두 제공하는 내장 체인을 사용합니다.',
  faucet: '포싯(faucet)',
  controls: '체인 제어',
  amountIn: symbol => `금액(${symbol})`,
  xrpHint: 'r… 또는 r…:tag',
  fund: '자금 받기',
  paid: (amount, address) => `포싯(faucet)이 ${address}에 ${amount}를 보냈습니다.`,
  done: (symbol, knob) => `${symbol}: ${knob} 작업을 완료했습니다.`,
  newestIs: height => `최신 블록은 ${height}입니다.`,
  silent: '체인이 현재 응답하지 않습니다.',
  cannotUndo: '이 작업은 되돌릴 수 없습니다.',
  network: '네트워크',
  networkId: (network, id) => `${network}, ID ${id}`,
  funds: '로봇의 자금',
  fresh: '새 체인: 첫 트랜잭션이 다음 블록을 만듭니다',
  old: duration => `${duration} 전 생성`,
  callsInMinute: '최근 1분간 호출',
};

export const knobs: Translation['knobs'] = {
  mine: { title: '블록 생성', meaning: '새 블록을 생성합니다.' },
  'hold-ETH': {
    title: '블록 보류',
    meaning: '해제할 때까지 어떤 트랜잭션도 블록에 포함되지 않습니다.',
  },
  'hold-XRP': {
    title: '렛저 보류',
    meaning: '해제할 때까지 어떤 트랜잭션도 렛저에 포함되지 않습니다.',
  },
  reorg: {
    title: '재구성(reorg)',
    meaning: '다른 포크가 선택된 것처럼 최신 블록을 다른 블록으로 바꿉니다.',
  },
  'drop-ETH': { title: '트랜잭션 제거', meaning: '대기 중인 트랜잭션을 제거합니다.' },
  'fee-spike': {
    title: '수수료 급등',
    meaning: '다음 블록의 기본 수수료를 정합니다. 빈 블록마다 8분의 1씩 낮아집니다.',
  },
  'start-over': {
    title: '체인 새로 시작',
    meaning:
      '테스트 네트워크가 초기화된 것처럼 체인을 새 체인으로 바꿉니다. 진행 중인 검증은 ERROR로 끝나고, 끝나지 않은 송금은 CANCELED가 되며, 잔액은 0부터 시작합니다.',
  },
  close: { title: '렛저 닫기', meaning: '지금 렛저를 닫습니다.' },
  'drop-XRP': {
    title: '다음 제출 누락',
    meaning: '제출에는 정상으로 응답하지만 렛저에 포함되지 않습니다.',
  },
  delay: {
    title: '다음 제출 지연',
    meaning: '제출에는 정상으로 응답하지만 렛저에 늦게 포함됩니다.',
  },
  reorder: {
    title: '다음 닫기의 순서 변경',
    meaning: '가장 나중에 제출된 트랜잭션부터 적용하므로 최종 결과가 잠정 결과와 다를 수 있습니다.',
  },
  'load-factor': {
    title: '부하 계수',
    meaning: '최소 수수료 = 기본 수수료 × 계수. 평소 계수는 1입니다.',
  },
  'forget-history': {
    title: '이력 삭제',
    meaning: '이력이 적은 서버처럼 오래된 렛저를 삭제합니다.',
  },
};

export const knobFields: Translation['knobFields'] = {
  blocks: '블록 수',
  depth: '블록 수',
  moved: '기존 트랜잭션을 새 블록에 유지',
  txHash: '해시',
  baseFee: '가스당 Wei',
  closes: '지연할 렛저 수',
  factor: '계수',
  upTo: '이 렛저까지',
};

export const users: Translation['users'] = {
  intro:
    '모든 사용자에게는 테스트 결과를 결정하는 동작이 있습니다. 출금 테스트에서는 수취인으로, 입금 테스트에서는 송금인으로 사용자를 선택하세요. 변경한 내용은 내 VASP에만 적용됩니다.',
  behaviour: '동작',
  any: '전체',
  noneFits: '이 동작을 하는 사용자가 없습니다. 필터를 초기화하거나 [사용자를 추가하세요](#add).',
  allBehaviours: '모든 동작',
  addUser: '사용자 추가',
  add: '추가',
  restoreTitle: '복원',
  restoreMeaning: '변경한 내용을 모두 취소하고 제거한 사용자를 복원합니다.',
  restore: '모든 사용자 복원',
  restoreWarning: '직접 추가한 사용자와 변경한 내용이 모두 사라집니다.',
  exists: id => `${id} 사용자가 이미 있습니다. 그 사용자를 변경하거나 다른 ID를 입력하세요.`,
  isUser: name => `${name}을(를) 로봇의 사용자로 추가했습니다.`,
  sendTo: id => `검증 요청 보내기: ${id}`,
  removed: id => `내 VASP에서 ${id}을(를) 제거했습니다. 이 사용자로 진행 중인 테스트는 계속됩니다.`,
  restored: '모든 사용자를 복원했습니다.',
  kycDone: '완료',
  kycNotDone: '미완료',
  caption: '로봇의 사용자',
  user: '사용자',
  addresses: '주소',
  actions: '작업',
  companyBy: names => `법인, 대표자: ${names}`,
  send: '보내기',
  change: '변경',
  changeThis: id => `변경: ${id}`,
  file: '내보내기와 가져오기',
  fileMeaning:
    '사용자 변경 내용과 장애 설정을 파일 하나에 담습니다. [setup.json 다운로드](/console/users/setup.json). `robot-vasp setup` 명령도 같은 파일을 읽고 씁니다.',
  import: '가져오기',
  fileField: 'setup.json의 내용',
  fileHelp: '기존 설정에 추가됩니다. 사용자의 주소는 로봇이 정하므로 다른 샌드박스에서는 달라집니다.',
  noFile: '사용자와 장애 설정 파일이 아닙니다. setup.json의 내용 전체를 붙여 넣으세요.',
  imported: (users, faults) => `가져왔습니다: 사용자 ${users}명, 장애 ${faults}건.`,
};

export const user: Translation['user'] = {
  id: 'ID',
  source: '출처',
  fixture: '기본 데이터',
  changed: '기본 데이터(내 VASP가 변경함)',
  added: '내 VASP가 추가함',
  addressIn: symbol => `${symbol} 주소`,
  sendToThis: '이 사용자에게 검증 요청 보내기',
  remove: '제거',
  removeThis: id => `제거: ${id}`,
  removeWarning: name =>
    `내 VASP에서 ${name}을(를) 제거합니다. 이 사용자에 대한 검증 결과는 UNKNOWN이 됩니다. 진행 중인 테스트는 계속됩니다.`,
  wasChanged: name => `내 VASP에서 ${name}의 정보를 변경했습니다.`,
  idHelp: '영문 소문자, 숫자, 하이픈을 사용하세요.',
  kind: '구분',
  natural: '자연인',
  legal: '법인',
  kycDone: '고객확인(KYC) 완료',
  firstName: '이름',
  lastName: '성',
  legalName: '법인명',
  representatives: '대표자',
  representativesHelp: '한 줄에 한 명씩 “성, 이름” 형식으로 입력하세요.',
};

export const behaviours: Translation['behaviours'] = {
  ORDINARY: '규칙에 따라서만 결정됩니다.',
  'NEVER-ANSWERS': '수취인일 때: 로봇이 응답하지 않아 검증이 ERROR / REQUEST-TIMEOUT으로 끝납니다.',
  'ANSWERS-LATE':
    '수취인일 때: 로봇이 제한 시간을 1초 넘겨 응답하여 검증이 ERROR / REQUEST-TIMEOUT으로 끝납니다.',
  'ANSWERS-SLOWLY': '수취인일 때: 로봇이 제한 시간 안에서 3초 후에 응답합니다.',
  'CHANGES-ACCOUNT-NUMBER':
    '수취인일 때: 로봇이 다른 계정 번호로 응답하여 검증이 ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED로 끝납니다.',
  'NOT-ALLOWED': '수취인일 때: 앞선 규칙이 결정하지 않으면 DENIED / NOT-ALLOWED입니다.',
  'UNDEFINED-ERROR': '수취인일 때: 앞선 규칙이 결정하지 않으면 DENIED / UNDEFINED-ERROR입니다.',
  BLACKLISTED: '수취인일 때: 앞선 규칙이 결정하지 않으면 사용자 검증이 DENIED / BLACKLISTED입니다.',
  'MISMATCHED-NAME': '수취인일 때: 앞선 규칙이 결정하지 않으면 사용자 검증이 DENIED / MISMATCHED-NAME입니다.',
  'UNVERIFIED-KYC': '수취인일 때: 앞선 규칙이 결정하지 않으면 사용자 검증이 DENIED / UNVERIFIED-KYC입니다.',
  'UNKNOWN-SYMBOL': '수취인일 때: 앞선 규칙이 결정하지 않으면 사용자 검증이 DENIED / UNKNOWN-SYMBOL입니다.',
  'UNKNOWN-NETWORK': '수취인일 때: 앞선 규칙이 결정하지 않으면 사용자 검증이 DENIED / UNKNOWN-NETWORK입니다.',
  'UNKNOWN-ADDRESS': '수취인일 때: 앞선 규칙이 결정하지 않으면 사용자 검증이 DENIED / UNKNOWN-ADDRESS입니다.',
  UNKNOWN: '수취인일 때: 앞선 규칙이 결정하지 않으면 결과가 UNKNOWN입니다.',
  'TRANSFER-PENDING': '송금인일 때: 로봇의 송금이 PENDING에 머무르며 전송되지 않습니다.',
  'TRANSFER-CANCELED': '송금인일 때: 로봇의 송금이 CANCELED가 됩니다.',
  'TRANSFER-MISNAMED':
    '송금인일 때: 송금이 요청되기 전의 상태 조회에 CONFIRMED와 존재하지 않는 거래로 응답합니다.',
  'SANCTIONED-ADDRESS': '사용자의 주소가 제재 대상 테스트 목록에 있어 스크리닝 결과가 SANCTION입니다.',
};

const ROBOT_ANSWERS = {
  delay:
    '로봇의 응답이 컴퓨터의 시계로 `delay`만큼 늦게 옵니다. 제한 시간을 넘기면 호출은 408 REQUEST-TIMEOUT으로 응답합니다.',
  'never-answer':
    '로봇이 응답하지 않습니다. 컴퓨터의 시계로 제한 시간이 지나면 호출은 408 REQUEST-TIMEOUT으로 응답합니다.',
};
const BROKEN_ANSWERS = {
  drop: '로봇이 응답 없이 연결을 닫습니다: DENIED / UNDEFINED-ERROR.',
  status: '로봇이 인클레이브에 이 상태로 응답합니다: DENIED / UNDEFINED-ERROR.',
  malformed: '로봇이 인클레이브에 깨진 JSON으로 응답합니다: DENIED / UNDEFINED-ERROR.',
};
const MODES = {
  answer: {
    delay: '호출의 효과는 그대로입니다. 응답이 컴퓨터의 시계로 `delay`만큼, 최대 60s 늦게 옵니다.',
    drop: '호출의 효과는 그대로입니다. 응답 없이 연결이 닫힙니다.',
    status: '호출의 효과는 그대로입니다. 이 상태와 오류 객체로 응답합니다.',
    malformed: '호출의 효과는 그대로입니다. 응답의 상태는 같지만 JSON이 중간에 끊깁니다.',
    'never-answer': '호출의 효과는 그대로입니다. 응답이 오지 않으며 120s 뒤에 연결이 닫힙니다.',
  },
  'robot.verifyUser': {
    ...BROKEN_ANSWERS,
    delay:
      '로봇이 검증을 시작한 뒤 샌드박스의 시계로 `delay` 후에 응답합니다. 제한 시간을 넘기면 결과는 ERROR / REQUEST-TIMEOUT입니다.',
    'never-answer':
      '로봇이 응답하지 않습니다. 샌드박스의 시계로 제한 시간이 지나면 ERROR / REQUEST-TIMEOUT입니다.',
  },
  'robot.verifyAccount': { ...BROKEN_ANSWERS, ...ROBOT_ANSWERS },
  'robot.transactionStatus': {
    ...ROBOT_ANSWERS,
    drop: '로봇이 응답 없이 연결을 닫습니다: 408 REQUEST-TIMEOUT(D-16).',
    status: '로봇이 인클레이브에 이 상태로 응답합니다: 408 REQUEST-TIMEOUT(D-16).',
    malformed: '로봇이 인클레이브에 깨진 JSON으로 응답합니다: 408 REQUEST-TIMEOUT(D-16).',
  },
  callback: {
    delay: '콜백을 샌드박스의 시계로 `delay` 동안 보류합니다. 같은 검증의 다음 콜백은 그 뒤에서 기다립니다.',
    drop: '콜백을 보내지 않지만 전달된 것으로 봅니다. 콜백은 유실됩니다.',
    status: '콜백을 보냅니다. 내 응답을 이 상태로 보고 다시 보냅니다(D-13). 콜백이 두 번 옵니다.',
    malformed: '본문이 중간에 끊긴 콜백을 보냅니다. 다시 보낼지는 내 응답이 결정합니다.',
    duplicate: '콜백을 연달아 두 번 보냅니다.',
    reorder:
      '같은 검증의 다음 콜백을 먼저 보냅니다. 샌드박스의 시계로 `delay`(기본값 10m) 안에 다음 콜백이 없으면 이 콜백만 보냅니다.',
    'never-answer': '콜백을 보냅니다. 내 응답이 없는 것으로 보고 다시 보냅니다(D-13). 콜백이 두 번 옵니다.',
  },
};

export const faultModes: Translation['faultModes'] = Object.fromEntries(
  Object.entries(MODES).flatMap(([target, modes]) =>
    Object.entries(modes).map(([mode, meaning]) => [`${target}.${mode}`, meaning]),
  ),
);
