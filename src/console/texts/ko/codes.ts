import type { Translation } from '../english.ts';

/** The codes of a verification, of conduct, and of a report. */

export const reasons: Translation['reasons'] = {
  OK: { meaning: '정상.', advice: '송금한 뒤 트랜잭션 해시를 보고하세요.' },
  'UNKNOWN-SYMBOL': {
    meaning: '알 수 없거나 지원하지 않는 가상자산 심볼입니다.',
    advice: '수신 VASP가 지원하는 가상자산을 선택하세요.',
  },
  'UNKNOWN-NETWORK': {
    meaning: '알 수 없거나 지원하지 않는 네트워크입니다. 심볼은 일치하지만 네트워크가 다릅니다.',
    advice: '네트워크를 생략하거나 심볼에 맞는 네트워크를 지정하세요.',
  },
  'UNKNOWN-ADDRESS': {
    meaning: 'VASP가 알지 못하는 지갑 주소입니다.',
    advice: '고객에게 주소를 다시 확인하세요. XRP Ledger에서는 태그도 주소의 일부입니다.',
  },
  'LACK-OF-INFORMATION': {
    meaning: '개인정보가 부족하여 거부되었습니다.',
    advice: '메시지에 표시된 정보를 추가하여 새로 검증을 요청하세요.',
  },
  'UNAVAILABLE-INFORMATION': {
    meaning: '요청한 개인정보를 제공할 수 없습니다.',
    advice: '`requiredBeneficiaryInfo`의 항목을 줄이세요. 제공할 수 없는 항목은 메시지에 표시됩니다.',
  },
  BLACKLISTED: {
    meaning: '제재 대상 스크리닝 결과로 거부되었습니다.',
    advice: '송금하지 말고 준법감시 부서에 알리세요.',
  },
  'UNVERIFIED-KYC': {
    meaning: '사용자의 고객확인(KYC)이 필요합니다.',
    advice: '수취인의 고객확인이 끝나기 전에는 송금하지 마세요.',
  },
  'MISMATCHED-NAME': {
    meaning: '이름이 일치하지 않습니다.',
    advice: '고객에게 수취인의 정확한 이름을 확인하세요.',
  },
  'NOT-ALLOWED': {
    meaning: '출금 요청이 거부되었습니다. 이유는 메시지에 있습니다.',
    advice: '송금하지 마세요. 메시지에서 이유를 확인하세요.',
  },
  'UNDEFINED-ERROR': {
    meaning: '예상하지 못한 예외입니다.',
    advice: '메시지를 확인하세요. 내 VASP의 응답이 원인이라면 HTTP 기록에서 그 응답을 볼 수 있습니다.',
  },
  'BENEFICIARY-ACCOUNT-NOT-MATCHED': {
    meaning: '수신 VASP가 요청과 다른 계정 번호로 응답했습니다.',
    advice: '수신 VASP는 요청에 있는 계정 번호로 응답해야 합니다.',
  },
  'REQUEST-TIMEOUT': {
    meaning: '검증 처리 시간이 제한을 초과했습니다.',
    advice: '제한 시간 안에 응답하고, 새로 검증을 요청하세요.',
  },
};

export const remarks: Translation['remarks'] = {
  'PAID-BEFORE-VERIFIED': {
    meaning: '검증 결과가 VERIFIED가 되기 전에 송금했습니다.',
    advice: 'VERIFIED 콜백을 받은 뒤에만 송금하세요.',
  },
  'PAID-AFTER-DENIED': {
    meaning: '검증 결과가 DENIED 또는 UNKNOWN인데도 송금했습니다.',
    advice: '결과가 VERIFIED가 아니면 출금을 중단하세요.',
  },
  'PAID-AFTER-ERROR': {
    meaning: '검증이 ERROR로 끝났는데도 송금했습니다.',
    advice: '결과가 ERROR이면 출금을 중단하세요. 다시 시도하려면 새로 검증을 요청하세요.',
  },
  'ERROR-AFTER-PAYMENT': {
    meaning: '이미 송금한 뒤에 오류 보고를 보냈습니다.',
    advice:
      '송금하지 않은 경우에만 오류 보고를 보내세요. 로봇은 받은 금액을 보관하고 입금 처리하지 않습니다.',
  },
  'INFORMATION-MISSING': {
    meaning: 'VERIFIED 응답에 요청된 정보가 빠져 있습니다.',
    advice: 'VERIFIED로 응답할 때 `requiredBeneficiaryInfo`의 모든 항목을 포함하세요.',
  },
  'NAME-DIFFERS': {
    meaning: 'VERIFIED 응답의 이름이 요청의 이름과 다릅니다.',
    advice: '요청에 있는 고객 이름 그대로 응답하거나, MISMATCHED-NAME 사유로 DENIED를 응답하세요.',
  },
  'INFORMATION-NOT-REQUESTED': {
    meaning: '요청하지 않은 개인정보가 응답에 포함되어 있습니다. 인클레이브가 이를 제거합니다.',
    advice: '`requiredBeneficiaryInfo`에 있는 항목만 응답하세요.',
  },
  'UNKNOWN-NAME-TYPE': {
    meaning: '이름 유형이 IVMS101에 없는 값입니다.',
    advice:
      'IVMS101의 이름 유형을 사용하세요: 자연인은 LEGL, BIRT, MAID, ALIA, MISC, 법인은 LEGL, SHRT, TRAD.',
  },
  'IVMS101-FLAW': {
    meaning: 'IVMS101 표준이 허용하지 않는 값입니다.',
    advice: 'IVMS101 페이지 또는 POST /sandbox/v1/ivms101/check로 페이로드를 확인하세요.',
  },
  'THRESHOLD-WRONG': {
    meaning: '`isExceedingThreshold` 값이 `tradePrice`와 모순됩니다.',
    advice: '`isExceedingThreshold`를 `tradePrice`로 계산하세요.',
  },
  'STATUS-CONTRADICTS-CHAIN': {
    meaning: '상태 조회 응답이 체인의 실제 상태와 다릅니다.',
    advice: '상태 조회에는 체인에 있는 트랜잭션의 실제 상태로 응답하세요.',
  },
  'REPORT-LATE': {
    meaning: '로봇이 상태를 조회한 뒤에야 트랜잭션이 보고되었습니다.',
    advice: '트랜잭션을 전송하는 즉시 해시를 보고하세요.',
  },
  'REPORT-REPEATED': {
    meaning: '같은 트랜잭션이 다시 보고되었습니다.',
    advice: '트랜잭션은 한 번만 보고하세요. 응답을 받지 못한 경우에만 다시 보고하세요.',
  },
};

export const verdicts: Translation['verdicts'] = {
  AWAITED: {
    meaning: '아직 어떤 노드도 이 트랜잭션을 알지 못합니다.',
    advice: '트랜잭션을 전송하고, 해시가 노드가 출력한 값과 정확히 같은지 확인하세요.',
  },
  'NOT-FOUND': {
    meaning: '10분이 지나도 어떤 노드도 이 트랜잭션을 알지 못합니다.',
    advice:
      '네트워크와 해시를 확인하고 올바른 해시를 보고하세요. 나중에 블록에 포함되면 그때 입금 처리됩니다.',
  },
  'NOT-FINAL': {
    meaning: '트랜잭션이 아직 확정되지 않았습니다.',
    advice: '기다리세요. 계속 블록에 포함되지 않으면 수수료를 올리세요.',
  },
  REPLACED: {
    meaning: '같은 보낸 이의 다른 트랜잭션이 보고된 트랜잭션의 번호(nonce)를 사용했습니다.',
    advice:
      '그 자리를 차지한 트랜잭션이 송금했다면 그것을 보고하세요. 아니면 다시 송금하거나 오류를 보고하세요.',
  },
  REVERTED: {
    meaning: '트랜잭션이 체인에서 실패하여 자금이 이동하지 않았습니다.',
    advice: '다시 송금하고 새 해시를 보고하거나, 오류 보고를 보내세요.',
  },
  'WRONG-RECIPIENT': {
    meaning: '트랜잭션이 검증된 주소로 송금하지 않았습니다.',
    advice: '검증된 주소로 송금한 트랜잭션의 해시를 보고하거나, 그 주소로 송금하세요.',
  },
  BATCH: {
    meaning:
      '보고된 트랜잭션은 Batch이며 스스로는 자산을 옮기지 않습니다. 그 안의 내부 트랜잭션이 송금했습니다.',
    advice: '내부 트랜잭션의 해시를 보고하세요.',
  },
  'WRONG-TAG': {
    meaning: '데스티네이션 태그가 검증된 주소의 태그와 다르거나 없습니다.',
    advice: '검증된 주소의 태그를 지정하여 송금하고 그 해시를 보고하세요.',
  },
  'WRONG-AMOUNT': {
    meaning: '송금액이 검증된 금액과 다릅니다.',
    advice: '검증된 금액을 한 번에 송금하거나, 송금할 금액을 먼저 검증하세요.',
  },
  'WRONG-VOUT': {
    meaning: '`vout` 위치의 이체가 검증된 이체가 아닙니다.',
    advice: '트랜잭션 안의 자산 이체 중 몇 번째인지 0부터 세어 다시 보고하거나, `vout` 없이 보고하세요.',
  },
  'PAID-BEFORE-VERIFIED': {
    meaning: '검증 결과가 VERIFIED가 되기 전에 송금이 블록에 포함되었습니다.',
    advice: 'VERIFIED 이후에만 송금하세요. 이 송금은 이 검증에 입금 처리되지 않습니다.',
  },
  'ALREADY-USED': {
    meaning: '이 송금은 이미 다른 검증에 입금 처리되었습니다.',
    advice: '이 검증에 해당하는 트랜잭션의 해시를 보고하세요.',
  },
  CREDITED: { meaning: '입금 처리되었습니다.', advice: '더 할 일이 없습니다.' },
};
