import type { Translation } from '../english.ts';

export const send: Translation['send'] = {
  whatToSend: '보낼 요청',
  enclave: '내 인클레이브로',
  robot: '로봇으로',
  sandbox: '샌드박스로',
  catalogue: '시나리오 카탈로그',
  send: '보내기',
  asCurl: 'curl 명령',
  body: '본문',
  noVerificationFits: href => `조건에 맞는 검증이 아직 없습니다. [먼저 검증을 요청하세요](${href}).`,
  update: '요청 갱신',
  notJson: (line, column, message) =>
    `본문이 올바른 JSON이 아닙니다: ${line}행 ${column}열: ${message}. 요청을 보내지 않았습니다.`,
  answered: (call, status) => `${call}의 응답: ${status}.`,
  timeIs: (now, fired) => `현재 시각은 ${now}입니다. 타이머 ${fired}개가 실행되었습니다.`,
  expected: '기대값',
  outcome: '결과',
  asExpected: '예상대로',
  notYet: '아직 아님',
  theAssessment: '평가 내용:',
  goOnPay: '계속: 송금하고 보고하기',
  goOnLetPay: '계속: 로봇이 송금하게 하기',
  screenAddress: '주소 스크리닝',
  activeFaults: '적용 중인 장애',
  advance: '시간 앞당기기',
  by: '이동할 시간',
};

export const sendFields: Translation['sendFields'] = {
  symbol: '가상자산',
  user: '로봇의 사용자',
  amount: '금액',
  account: '내 고객의 주소',
  accountHint: '비워 두면 최근 입금 주소 또는 예시 주소를 사용',
  verificationUuid: '검증',
  txHash: '트랜잭션 해시',
  result: '결과',
  reason: '사유',
  message: '메시지',
  omitTxReport: '트랜잭션 보고',
  robotReports: '로봇이 트랜잭션을 보고함',
  robotIsSilent: '로봇이 보고하지 않음: 내 VASP가 조회해야 함',
  noUser: '로봇의 사용자가 아님',
};

export const scenarios: Translation['scenarios'] = {
  'verify-user': '사용자 검증의 모든 결과',
  'verify-account': '계정 검증의 모든 결과',
  'assess-sanction': '제재 대상 스크리닝',
  'assess-kyt': '트랜잭션 모니터링',
  'assess-wco': '인물 스크리닝',
  report: '트랜잭션 보고에 대한 모든 판정',
  behaviour: '특수한 동작을 하는 사용자',
  fault: '장애 주입',
};

export const requests: Translation['requests'] = {
  'verify-user': {
    title: '사용자 검증',
    meaning: '내 고객이 로봇의 이 사용자에게 송금해도 되는지 묻습니다. 결과는 콜백으로 전송됩니다.',
  },
  'verify-account': {
    title: '계정 검증',
    meaning: '이 주소가 로봇의 이 사용자의 것인지 묻습니다.',
  },
  'report-transaction': {
    title: '트랜잭션 보고',
    meaning: '내 송금의 트랜잭션 해시를 로봇에 보고합니다.',
  },
  'report-error': {
    title: '오류 보고',
    meaning: '출금을 취소합니다. 두 VASP 모두에서 결과가 ERROR로 바뀝니다.',
  },
  'inquire-transaction': {
    title: '트랜잭션 상태 조회',
    meaning: '로봇이 내 고객에게 보낸 송금의 상태를 조회합니다.',
  },
  'assess-sanction': {
    title: '주소의 제재 대상 스크리닝',
    meaning: 'Provider A가 즉시 응답합니다.',
  },
  'assess-kyt': {
    title: '주소 또는 트랜잭션 모니터링',
    meaning: 'Provider A의 평가입니다. 결과는 PROVIDER_A_KYT_RESULT 콜백으로 전송됩니다.',
  },
  'assess-wco': {
    title: '인물 스크리닝',
    meaning: 'Provider B의 평가입니다. 결과는 PROVIDER_B_WCO_RESULT 콜백으로 전송됩니다.',
  },
  'robot-verify-account': {
    title: '로봇이 계정을 검증하게 하기',
    meaning: '로봇이 이 주소가 내 VASP의 주소인지 내 VASP에 묻습니다.',
  },
  'robot-verify-user': {
    title: '로봇이 사용자를 검증하게 하기',
    meaning: '로봇의 사용자가 내 고객에게 송금하려고 합니다. 로봇이 내 VASP에 검증을 요청합니다.',
  },
  'robot-withdraw': {
    title: '로봇이 송금하게 하기',
    meaning: '로봇이 VERIFIED 검증에 대해 한 번 송금하고 트랜잭션을 보고합니다.',
  },
  'robot-report-tx': {
    title: '트랜잭션 보고 강제 전송',
    meaning: '해당 트랜잭션이 없더라도 로봇이 이 해시를 내 VASP에 보고합니다.',
  },
  'robot-report-error': {
    title: '오류 보고 강제 전송',
    meaning: '로봇이 내 VASP로의 송금을 취소하고 오류를 보고합니다.',
  },
  'robot-inquire-tx': {
    title: '로봇이 상태를 조회하게 하기',
    meaning: '로봇이 지금 내 VASP에 송금 상태를 조회합니다. 따로 요청하지 않으면 10분 후에 조회합니다.',
  },
  'robot-balance': {
    title: '잔액 조회',
    meaning: '로봇의 이 사용자가 내 VASP에서 받은 금액을 조회합니다.',
  },
  'order-fault': {
    title: '장애 추가',
    meaning: '응답이나 콜백이 의도적으로 실패하게 합니다. 적용 중인 장애는 장애 주입 페이지에 표시됩니다.',
  },
};
