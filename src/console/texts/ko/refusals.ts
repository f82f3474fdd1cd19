import type { Translation } from '../english.ts';

/** The refusals that a VASP meets most. */
export const refusals: Translation['refusals'] = {
  'missing-field': {
    meaning: '필수 필드가 없습니다. X가 필드 이름입니다.',
    advice: '메시지에 표시된 필드를 추가하세요.',
  },
  'invalid-field': {
    meaning: '필드의 형식이나 값이 잘못되었습니다.',
    advice: '메시지에 표시된 필드를 수정하세요. 형식은 API 문서에 있습니다.',
  },
  'not-json': { meaning: '본문이 JSON이 아닙니다.', advice: '본문을 JSON 객체로 보내세요.' },
  'not-object': {
    meaning: '본문이 JSON이지만 객체가 아닙니다.',
    advice: '본문을 JSON 객체로 보내세요.',
  },
  'too-large': { meaning: '본문이 256 KiB를 초과합니다.', advice: '더 작은 본문을 보내세요.' },
  'unsupported-media': {
    meaning: '본문이 압축되어 있거나 UTF-8이 아닌 문자 집합입니다.',
    advice: '본문을 압축하지 말고 UTF-8로 보내세요. HTTP 클라이언트의 요청 압축을 끄세요.',
  },
  'unknown-path': { meaning: '존재하지 않는 경로입니다.', advice: 'API 문서에서 경로를 확인하세요.' },
  'wrong-method': {
    meaning: '이 경로에서 지원하지 않는 메서드입니다.',
    advice: '`Allow` 헤더에 있는 메서드를 사용하세요.',
  },
  unauthorized: {
    meaning: 'API 키가 없거나, 알 수 없거나, 만료되었거나, 폐기되었습니다.',
    advice:
      '등록된 VASP의 API 키를 `Authorization: Bearer <key>`로 보내세요. 로컬 모드에서는 키 없이도 요청할 수 있습니다.',
  },
  forbidden: {
    meaning: 'API 키는 유효하지만 이 요청을 할 권한이 없습니다.',
    advice: '메시지에 표시된 권한이 있는 키를 사용하세요. 일부 요청은 운영자만 할 수 있습니다.',
  },
  suspended: { meaning: '운영자가 이 VASP를 정지했습니다.', advice: '샌드박스 운영자에게 문의하세요.' },
  'rate-limited': {
    meaning: '이 키 또는 주소에서 요청을 너무 많이 보냈습니다.',
    advice:
      '`Retry-After` 시간만큼 기다리세요. 한도와 잔여량은 `RateLimit-Policy`와 `RateLimit` 헤더에 있습니다.',
  },
  'verification-missing': {
    meaning: '해당 검증이 없거나, 이 검증의 당사자 VASP가 아닙니다.',
    advice: 'verificationUuid를 확인하세요. 검증은 당사자인 두 VASP만 볼 수 있습니다.',
  },
  'not-beneficiary': {
    meaning: '이 검증의 수신 VASP가 아닙니다.',
    advice: '트랜잭션 상태는 수신 VASP만 조회할 수 있습니다.',
  },
  'not-originator': {
    meaning: '이 검증의 송신 VASP가 아닙니다.',
    advice: '보고는 송신 VASP만 할 수 있습니다.',
  },
  'not-verified': {
    meaning: '검증 결과가 VERIFIED가 아닙니다.',
    advice: '결과가 VERIFIED가 된 뒤에 송금하거나 트랜잭션을 보고하세요.',
  },
  'not-completed': { meaning: '아직 검증 결과가 없습니다.', advice: '검증 결과를 기다리세요.' },
  'already-reported': {
    meaning: '이미 입금 처리되었거나 보고된 검증입니다.',
    advice: '이 검증에는 이미 트랜잭션이 있습니다. 다른 송금은 새로 검증을 요청하세요.',
  },
  'unknown-vasp': { meaning: '해당 VASP가 없습니다.', advice: '`GET /v1/vasps`에서 vaspId를 확인하세요.' },
  'vasp-not-active': {
    meaning: '현재 참여하지 않는 VASP입니다.',
    advice: '`GET /v1/vasps`에서 활성 상태인 VASP를 선택하세요.',
  },
  'required-info-without-account-number': {
    meaning: '요청한 정보에 계정 번호가 없습니다.',
    advice: '`requiredBeneficiaryInfo`에 `ACCOUNT_NUMBER`를 추가하세요.',
  },
  'invalid-result': {
    meaning: '결과와 사유가 서로 맞지 않습니다.',
    advice: '서로 맞는 결과와 사유를 보내세요. 이 가이드의 사유 목록을 참고하세요.',
  },
  'no-answer': {
    meaning: '상대 VASP가 제한 시간 안에 유효한 응답을 보내지 않았습니다.',
    advice: '제한 시간 안에 응답하세요. HTTP 기록에서 요청과 응답을 확인할 수 있습니다.',
  },
  'txhash-not-reported': {
    meaning: '이 검증에는 보고된 트랜잭션이 없습니다.',
    advice: '먼저 트랜잭션을 보고하세요. KYT 평가에는 해시가 필요합니다.',
  },
  'insufficient-balance': {
    meaning: '로봇이 받은 금액보다 많이 송금할 수 없습니다.',
    advice: '먼저 로봇에 송금하세요. 로봇은 받은 금액까지만 송금합니다.',
  },
  'unknown-symbol': { meaning: '지원하지 않는 가상자산입니다.', advice: 'ETH 또는 XRP를 사용하세요.' },
  'unknown-address': {
    meaning: '로봇의 사용자 주소가 아닙니다.',
    advice: '`GET /sandbox/v1/info`에 있는 주소를 사용하세요.',
  },
};
