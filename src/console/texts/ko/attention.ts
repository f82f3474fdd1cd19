import type { Translation } from '../english.ts';

export const attention: Translation['attention'] = {
  chain: {
    title: '체인을 읽을 수 없음',
    advice: '노드를 다시 시작하거나 체인을 재개(resume)하세요.',
  },
  'chain-large': {
    title: '내장 체인이 너무 큼',
    advice: '진행 중인 테스트가 없을 때 체인을 다시 시작(start-over)하세요.',
  },
  'low-funds': { title: '로봇의 자금 부족', advice: '부족한 금액을 로봇의 자금 계정으로 보내세요.' },
  'payment-unexplained': {
    title: '출처를 알 수 없는 지급',
    advice: '다시 지급하기 전에 경위를 확인하세요.',
  },
  'transfer-waiting': {
    title: '송금 대기 중',
    advice: '원인을 해결하면 송금이 자동으로 계속됩니다.',
  },
  'callback-given-up': {
    title: '콜백 전송 포기',
    advice: '콜백 엔드포인트가 200을 응답하도록 수정한 뒤 다시 전송하세요.',
  },
  'callback-failing': {
    title: '콜백 전송 실패',
    advice: '마지막 오류를 확인하세요. 재시도는 자동으로 이루어집니다.',
  },
  'timer-failing': { title: '타이머 실패', advice: '오류를 확인하세요. 타이머는 다시 실행됩니다.' },
  'report-not-credited': {
    title: '보고된 트랜잭션이 입금 처리되지 않음',
    advice: '기대값과 실제값을 비교하고 올바른 트랜잭션을 보고하세요.',
  },
  'deposit-ambiguous': {
    title: '여러 검증에 해당하는 입금',
    advice: '그중 하나의 검증에 트랜잭션 해시를 보고하세요.',
  },
  'deposit-unattributed': {
    title: '검증이 없는 입금',
    advice: '송금하기 전에 검증하고, 송금 후 해시를 보고하세요.',
  },
  'credit-taken-back': {
    title: '입금 처리 취소',
    advice: '조치할 필요가 없습니다. 트랜잭션이 다시 블록에 포함되면 다시 입금 처리됩니다.',
  },
  'money-unexplained': {
    title: '트랜잭션을 알 수 없는 자금',
    advice: '해당 금액을 송금한 트랜잭션의 해시를 보고하세요.',
  },
  'endpoint-missing': {
    title: '엔드포인트 미설정',
    advice: '주소를 입력하세요.',
  },
  'endpoint-down': {
    title: '내 VASP가 응답하지 않음',
    advice: '엔드포인트를 호출해 보세요. 점검 결과에 원인이 표시됩니다.',
  },
  'fault-active': { title: '장애 주입 중', advice: '장애 테스트가 끝났으면 제거하세요.' },
};
