import type { Translation } from '../english.ts';

export const tests: Translation['tests'] = {
  intro:
    '가이드 테스트는 첫 검증 요청부터 잔액 확인까지 한 건의 송금을 모듈 하나의 실행으로 진행합니다. 실행은 모든 요청과 응답을 보여 주고, 다음에 할 일을 알려 주며, 판정으로 끝납니다.',
  withdrawal: '내 고객이 로봇의 사용자에게 송금합니다: 검증, 송금, 트랜잭션 보고, 잔액 확인.',
  deposit: '로봇이 내 고객에게 송금합니다: 검증, 송금, 트랜잭션 보고 수신, 상태 조회.',
  inAsset: symbol => `${symbol}로 진행`,
  testInAsset: (test, symbol) => `${test}: ${symbol}로 진행`,
  send: '입금 받기',
  sendMeaning:
    '로봇이 내 VASP에 검증을 요청하고, 잔액을 채운 뒤 내 고객에게 송금하고 보고합니다. 미리 로봇에 송금할 필요가 없습니다.',
  asset: '자산',
  amount: '금액',
  to: '내 고객의 주소',
  toHint: '비워 두면 최근 입금 주소 또는 예시 주소',
  next: '**다음: 내 VASP로 테스트하기.** [내 VASP](/console/settings)에 주소를 입력하고 샌드박스가 호출하게 하세요. 그러면 같은 테스트가 내 코드를 대상으로 진행되며, [적합성 검사](/console/checks)에서 모든 테스트를 실행할 수 있습니다.',
};

export const referenceVasp: Translation['referenceVasp'] = {
  title: '참조 VASP',
  offer: '아직 VASP가 없나요? 참조 VASP를 사용하세요',
  stopped:
    '올바르게 구현된 VASP가 샌드박스와 함께 실행되어 내 VASP의 역할을 합니다. 검증, 송금, 보고, 응답을 모두 수행하므로 두 가이드 테스트를 바로 진행할 수 있습니다.',
  use: '참조 VASP 사용',
  running:
    '참조 VASP가 내 VASP의 역할을 하고 있습니다. 출금 테스트와 입금 테스트를 진행하거나, 모든 종류의 예시 데이터로 샌드박스를 채워 보세요.',
  fill: '예시 데이터 채우기',
  stop: '참조 VASP 중지',
  runs: '참조 VASP가 실행 중입니다. 내 VASP를 대신하여 응답합니다.',
  hasStopped: '참조 VASP를 중지했습니다. 해당 주소를 제거했습니다.',
};
