import type { Translation } from '../english.ts';

export const tests: Translation['tests'] = {
  intro:
    '가이드 테스트는 첫 검증 요청부터 잔액 확인까지 한 건의 송금을 그대로 진행합니다. 각 단계는 실제 VASP와 같은 호출을 한 번 수행하고, 보낸 요청과 받은 응답을 보여 줍니다.',
  withdrawal: '내 고객이 로봇의 사용자에게 송금합니다: 검증, 송금, 트랜잭션 보고, 잔액 확인.',
  deposit: '로봇이 내 고객에게 송금합니다: 검증, 송금, 트랜잭션 보고 수신, 상태 조회.',
  inAsset: symbol => `${symbol}로 진행`,
  testInAsset: (test, symbol) => `${test}: ${symbol}로 진행`,
  amountIn: symbol => `금액(${symbol})`,
  amount: '금액',
  address: '주소',
  addressWithTag: '주소:데스티네이션 태그',
  transaction: '트랜잭션',
  requestAndAnswer: '요청과 응답',
  done: '완료',
  onlyAfterVerified: '결과가 VERIFIED여야 테스트를 계속할 수 있습니다. 다시 시도하세요:',
  noUser: '로봇의 사용자가 아님',
  next: '**다음: 내 VASP로 테스트하기.** [내 VASP](/console/settings)에 주소를 입력하고 샌드박스가 호출하게 하세요. 그러면 같은 테스트가 내 코드를 대상으로 진행되며, [적합성 검사](/console/checks)에서 최종 판정을 받을 수 있습니다.',
};

export const withdrawal: Translation['withdrawal'] = {
  intro:
    '내 고객이 로봇의 사용자에게 송금합니다. 로봇이 사용자를 검증하고, 내 VASP가 실제 원장에서 송금한 뒤 트랜잭션을 보고하면, 로봇이 입금 처리합니다. 모든 단계는 실제 VASP와 같은 호출을 수행합니다.',
  verify: '사용자 검증',
  pay: '금액 송금',
  payCall: symbol => `${symbol} 원장에서 실제 송금`,
  report: '트랜잭션 보고',
  balance: '잔액 확인',
  toUser: '수취인(로봇의 사용자)',
  askRobot: '로봇에 검증 요청',
  letOursWithdraw: '참조 VASP로 출금하기',
  accountDenied: user => `사용자 검증 전에 중단되었습니다: ${user}의 계정이 거부되었습니다.`,
  faucet: '포싯(faucet)에서 송금',
  noFaucet: '외부 체인에는 포싯(faucet)이 없습니다. 사용 중인 지갑에서 송금하세요.',
  ownPayment: '직접 송금한 경우 해시를 입력하세요',
  havePaid: '송금했습니다',
  reported: '트랜잭션을 로봇에 보고했습니다.',
  reportIt: '보고하기',
  askBalance: '잔액 조회',
  askAgain: '다시 조회',
  credited: '입금 처리되었습니다. 출금 테스트가 완료되었습니다.',
  nextDeposit: href => `다음: [입금 테스트](${href})에서 이 금액을 돌려받습니다.`,
};

export const deposit: Translation['deposit'] = {
  intro:
    '로봇의 사용자가 내 고객에게 송금합니다. 로봇이 내 VASP에 검증을 요청하고, 실제 원장에서 송금한 뒤 트랜잭션을 보고합니다. 그다음 내 VASP가 상태를 조회합니다. 로봇은 출금 테스트에서 받은 금액까지만 송금할 수 있습니다.',
  verify: '로봇이 검증 요청',
  pay: '로봇이 송금',
  report: '트랜잭션 보고 수신',
  reportCall: '내 VASP로 전송되는 TX_REPORT 콜백',
  status: '상태 조회',
  noFunds: (symbol, href) =>
    `로봇에 송금할 ${symbol} 잔액이 없습니다. [먼저 출금 테스트를 진행하세요](${href}).`,
  fromUser: '송금인(로봇의 사용자)',
  toCustomer: '수취 주소(내 고객)',
  addressHint: '비워 두면 최근 입금 주소 또는 예시 주소를 사용',
  reportComes: '로봇은 송금 직후 트랜잭션을 보고합니다.',
  answered: '로봇의 응답:',
  complete: '입금 테스트가 완료되었습니다.',
  askLater: '잠시 후 다시 조회하세요.',
};

export const referenceVasp: Translation['referenceVasp'] = {
  title: '참조 VASP',
  offer: '아직 VASP가 없나요? 참조 VASP를 사용하세요',
  stopped:
    '올바르게 구현된 VASP가 샌드박스와 함께 실행되어 내 VASP의 역할을 합니다. 검증, 송금, 보고, 응답을 모두 수행하므로 두 가이드 테스트를 바로 진행할 수 있습니다.',
  use: '참조 VASP 사용',
  running:
    '참조 VASP가 내 VASP의 역할을 하고 있습니다. [출금 테스트](/console/tests/withdrawal)와 [입금 테스트](/console/tests/deposit)를 진행하거나, 모든 종류의 예시 데이터로 샌드박스를 채워 보세요.',
  fill: '예시 데이터 채우기',
  stop: '참조 VASP 중지',
  runs: '참조 VASP가 실행 중입니다. 내 VASP를 대신하여 응답합니다.',
  hasStopped: '참조 VASP를 중지했습니다. 해당 주소를 제거했습니다.',
  played: count => `검증 ${count}건을 진행했습니다.`,
};
