import type { Translation } from '../english.ts';

export const callbacks: Translation['callbacks'] = {
  intro:
    '인클레이브가 내 VASP로 보낸 콜백과 모든 시도, 그 응답입니다. 콜백 주소가 없으면 메일박스에 보관됩니다: `GET /sandbox/v1/mailbox`.',
  everyType: '모든 유형',
  PENDING: 'PENDING: 아직 전송되지 않음',
  DELIVERED: 'DELIVERED: 전송됨',
  'GIVEN-UP': 'GIVEN-UP: 전송을 포기함',
  MAILBOX: 'MAILBOX: 주소 미설정',
  noMatch: '조건에 맞는 콜백이 없습니다.',
  none: '아직 콜백이 없습니다. 검증이 끝나면 첫 콜백이 전송됩니다.',
  replayed: type => `${type} 콜백을 다시 전송합니다.`,
  allReplayed: count => `콜백 ${count}건을 다시 전송합니다.`,
};

export const exchanges: Translation['exchanges'] = {
  intro: '내 VASP와 샌드박스 사이의 모든 HTTP 요청과 응답입니다(최신순).',
  caption: 'HTTP 기록(최신순)',
  operation: 'API 작업',
  direction: '방향',
  both: '양방향',
  IN: '내 VASP에서 보냄',
  OUT: '내 VASP로 보냄',
  accepted: '2xx: 수락됨',
  refused: '4xx: 거부됨',
  failed: '5xx: 실패',
  noAnswer: '응답 없음',
  duration: '응답 시간',
  orLonger: duration => `${duration} 이상`,
  noMatch: '조건에 맞는 기록이 없습니다. 필터를 초기화하면 모두 표시됩니다.',
  none: '아직 기록이 없습니다. [검증 요청을 보내거나](/console/send) 내 VASP에서 `GET /v1/vasps`를 호출하세요.',
};

export const exchange: Translation['exchange'] = {
  request: '요청',
  answer: '응답',
  copyCurl: '요청을 curl 명령으로 복사',
  asCurl: 'curl 명령',
  noAnswer: '응답 없음',
  noAnswerCame: '응답이 오지 않았습니다.',
  noBody: '본문 없음',
  isCheck: '점검',
  fold: '접기',
  foldJson: '이 JSON을 접거나 펼치기',
  copyJson: '이 JSON 복사',
  expectedAndGot: (expected, got) => `기대값: ${expected}, 실제값: ${got}`,
  nothing: '없음',
  codeIn: language => `${language} 코드`,
  command: '명령',
};

export const assessments: Translation['assessments'] = {
  noMatch: '조건에 맞는 평가가 없습니다. 필터를 초기화하면 모두 표시됩니다.',
  none: '아직 리스크 평가가 없습니다. [요청 보내기](/console/send?action=assess-sanction) 페이지에서 요청하거나, 완료된 검증의 `verificationUuid`로 `POST /v1/risk-assessment/providerA-sanction`을 호출하세요.',
  caption: '리스크 평가 목록(최신순)',
  kind: '종류',
  sanction: '제재 대상 스크리닝',
  kyt: '트랜잭션 모니터링',
  wco: '인물 스크리닝',
  verdict: '판정',
  failures: '실패한 호출',
  listedAs: (direction, name) => `${direction}, 목록의 이름: ${name}`,
  noAlert: '경고 없음',
  noMatchFound: '일치 없음',
};
