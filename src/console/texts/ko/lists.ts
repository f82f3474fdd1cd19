import type { Translation } from '../english.ts';

export const list: Translation['list'] = {
  filter: '필터 적용',
  clear: '초기화',
  pages: '목록 페이지',
  newer: '최신',
  older: '이전',
  perPage: '페이지당',
  sizePerPage: size => `페이지당 행 수: ${size}`,
  shown: count => `${count}건 표시`,
  rangeOf: (range, total) => `${total}건 중 ${range}건`,
  moreFollow: range => `${range}건, 더 있음`,
  moreThan: count => `${count} 이상`,
  copy: '복사',
  copyThis: what => `복사: ${what}`,
  actions: '작업',
  any: '전체',
  name: '이름',
  symbol: '가상자산',
  state: '상태',
  time: '시각',
  transaction: '트랜잭션',
  user: '사용자',
  countOf: (count, all) => `${all}개 중 ${count}개`,
  confirm: label => `예, ${label}`,
};

export const callback: Translation['callback'] = {
  caption: '콜백 목록(최신순)',
  type: '유형',
  lastAttempt: '마지막 시도',
  noneYet: '아직 없음',
  replay: '다시 전송',
  replayThis: (type, of) => `다시 전송: ${of}의 ${type}`,
  attempts: count => `데이터와 시도 ${count}회`,
};

export const actions: Translation['actions'] = {
  advance: '시간 앞당기기',
  by: '이동할 시간',
  reportTransaction: '트랜잭션 보고',
  reportError: '오류 보고',
  reportAsYou: '내 VASP로서 보고',
  txHash: '트랜잭션 해시',
  hashArrived: '도착한 송금의 해시입니다.',
  noPayment: '일치하는 송금이 아직 도착하지 않았습니다.',
  letInquire: '로봇이 상태를 조회하게 하기',
  letPay: '로봇이 송금하게 하기',
  letPaySilently: '로봇이 보고 없이 송금하게 하기',
  inquire: '트랜잭션 상태 조회',
  letReportError: '로봇이 오류를 보고하게 하기',
  letReport: '로봇이 보고하게 하기',
};
