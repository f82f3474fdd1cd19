import type { Translation } from '../english.ts';

export const timers: Translation['timers'] = {
  clock:
    '내 VASP의 샌드박스 시간은 {time}(UTC)이며, {distance}. 시간은 앞으로만 이동합니다. 각 VASP에는 자체 시계가 있습니다.',
  sameTime: '실제 시간과 같습니다',
  ahead: duration => `실제 시간보다 ${duration} 앞서 있습니다`,
  advancing: fired => `시간을 앞당기는 중입니다. 지금까지: ${fired}.`,
  advanceBy: '이동할 시간',
  own: '다른 시간',
  advance: '시간 앞당기기',
  toNext: distance => `다음 타이머로 이동(${distance})`,
  pending: '대기 중인 타이머',
  none: '대기 중인 타이머가 없습니다. [검증 요청을 보내면](/console/send) 로봇이 트랜잭션 보고를 기다리는 타이머가 시작됩니다.',
  noNext: '대기 중인 타이머가 없어 이동할 수 없습니다.',
  caption: '대기 중인 타이머(빠른 순)',
  due: '예정 시각',
  work: '작업',
  subject: '대상',
  attempts: '시도 횟수',
  lastFailed: error => `마지막 시도가 실패했습니다: ${error}`,
  fired: count => (count === 0 ? '실행된 타이머 없음' : `타이머 ${count}건 실행됨`),
  behind: ({ name, why }) => `${name}의 시계는 따라오지 못했습니다: ${why}`,
  isNow: (time, fired) => `현재 시각은 ${time}(UTC)입니다. ${fired}.`,
};

export const timerKinds: Translation['timerKinds'] = {
  'enclave.verification.ask': '인클레이브가 수신 VASP에 검증을 요청',
  'enclave.verification.time-out': '검증 제한 시간 초과',
  'enclave.risk.collect': '인클레이브가 제공자에서 평가 결과를 가져옴',
  'enclave.callback.deliver': '인클레이브가 콜백을 전송',
  'robot.deposit.inquire': '로봇이 트랜잭션 상태를 조회',
  'robot.report.look-up': '로봇이 보고된 트랜잭션을 확인',
  'robot.wallet.pay': '로봇이 송금을 전송하고 추적',
};
