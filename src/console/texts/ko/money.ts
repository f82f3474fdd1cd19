import type { Translation } from '../english.ts';

export const money: Translation['money'] = {
  balances: '잔액',
  balancesMeaning: '로봇의 사용자에게 송금한 금액과, 사용자가 돌려보낼 수 있는 금액입니다.',
  balancesCaption: '사용자와 가상자산별 잔액',
  noBalance: '아직 잔액이 없습니다. 첫 입금이 처리되면 생깁니다.',
  address: '주소',
  credited: '입금 처리됨',
  reserved: '송금 예정',
  paidOut: '송금됨',
  balance: '잔액',
  transfers: '로봇이 보낸 송금',
  transfersMeaning: '로봇이 내 VASP로 보낸 송금입니다. API의 이름은 transfers입니다.',
  transfersCaption: '로봇의 송금 목록(최신순)',
  noTransfer:
    '아직 송금이 없습니다. [로봇이 사용자를 검증하게 한](/console/send?action=robot-verify-user) 다음 송금하게 하세요. 로봇은 내 VASP에서 받은 금액까지만 송금할 수 있습니다.',
  signed: count => `서명된 트랜잭션 ${count}건`,
  notReported: '내 VASP에 보고되지 않음',
  oneReported: '그중 한 건이 내 VASP에 보고됨',
  isReported: '내 VASP에 보고됨',
  number: nonce => `번호 ${nonce}`,
  signedAt: time => `서명 시각 ${time}`,
  refused: reason => `거부됨: ${reason}`,
  deposits: '내가 로봇에 보낸 송금',
  depositsMeaning:
    '내 VASP가 로봇으로 보낸 송금입니다(API의 이름은 deposits). 체인에서 확정되고 검증에 보고되면 입금 처리됩니다.',
  depositsCaption: '내가 로봇에 보낸 송금 목록(최신순)',
  noDeposit:
    '아직 송금이 없습니다. [검증 요청을 보낸](/console/send) 다음 그 금액을 수취인의 주소로 송금하세요.',
  blockTime: '블록 시각',
  block: height => `블록 ${height}`,
  unnamed: '어느 검증인가요?',
  deposit: '내 송금',
  transfer: '로봇의 송금',
  noUser: '사용자 없음',
};

export const chainTransaction: Translation['chainTransaction'] = {
  noChain: '{symbol}의 체인이 없습니다. [체인](/console/chains) 중 하나를 선택하세요.',
  outcome: '처리 결과',
  block: '블록',
  fee: '수수료',
  unknown:
    '{chain}에 이 해시의 트랜잭션이 없습니다. 전송되지 않았거나, 제거되었거나, 체인이 재구성(reorg)되거나 다시 시작되면서 사라졌습니다. [체인](/console/chains)을 확인하세요.',
  source: '출처: 내장 {network}, {address}',
  outside: '체인: {chain}. {explorer} 또는 다음 주소에 조회하세요: {address}',
  explorer: '탐색기에서 해시 조회',
};
