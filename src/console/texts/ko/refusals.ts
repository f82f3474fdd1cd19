import type { Translation } from '../english.ts';

/** What a refusal means, and what to do. */
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
  'quota-exceeded': {
    meaning: 'VASP의 할당량을 모두 사용했습니다.',
    advice:
      '메시지에 할당량과 다시 사용할 수 있는 시각이 있습니다. `GET /sandbox/v1/usage`에서 모든 할당량을 볼 수 있으며 운영자가 변경할 수 있습니다.',
  },
  'already-registered': {
    meaning: '이 ID의 VASP가 이미 등록되어 있거나 등록된 적이 있습니다.',
    advice: '다른 `vaspId`를 선택하거나 생략하세요.',
  },
  'no-host': {
    meaning: '`Host` 헤더가 없거나 여러 번 왔습니다.',
    advice: '`Host` 헤더를 보내세요. 모든 HTTP 클라이언트가 보냅니다.',
  },
  'foreign-host': {
    meaning: '`Host` 헤더의 호스트가 이 프로그램의 것이 아닙니다.',
    advice: '`localhost`를 사용하거나 `ALLOWED_HOSTS`에 이름을 추가하세요.',
  },
  'foreign-origin': {
    meaning: '다른 사이트의 웹 페이지가 보낸 요청입니다.',
    advice: '자신의 프로그램에서 보내거나 페이지의 호스트를 `ALLOWED_HOSTS`에 추가하세요.',
  },
  'bad-target': {
    meaning: '요청 대상이 올바른 경로가 아닙니다.',
    advice: '슬래시로 시작하는 경로를 보내세요.',
  },
  'too-many': {
    meaning: '열린 이벤트 스트림이나 메일박스 대기 읽기가 너무 많습니다.',
    advice: '일부를 닫고 `Retry-After` 시간만큼 기다린 뒤 다시 시도하세요.',
  },
  'invalid-key-type': {
    meaning: '지원하지 않는 키 유형입니다.',
    advice: '`keyType`으로 `PerVasp`를 보내세요.',
  },
  'provider-refused': {
    meaning: '모의 제공자가 키를 거부했습니다.',
    advice: '설정된 제공자 키를 모의 제공자의 키와 비교하세요.',
  },
  'group-not-found': {
    meaning: '모의 제공자에 해당 그룹이 없습니다.',
    advice: '설정된 그룹 ID를 모의 제공자의 그룹 ID와 비교하세요.',
  },
  'address-not-allowed': {
    meaning: '프로그램이 이 주소를 호출하지 않습니다. 공개된 샌드박스이며 주소가 남의 것일 수 있습니다.',
    advice:
      '`https://`로 시작하고, 호스트가 공개되어 있으며, 사용자 이름과 비밀번호가 없고, 포트가 443, 8443 또는 1024 이상인 주소를 사용하세요.',
  },
  'place-taken': {
    meaning: '자신의 주소를 등록한 VASP의 자리를 참조 VASP가 대신할 수 없습니다.',
    advice: '설정에서 주소를 지우거나 `robot-vasp vasp --replace`로 참여하세요.',
  },
  'embedded-only': {
    meaning: '내장 체인에서만 할 수 있습니다.',
    advice: '내장 체인을 사용하세요. URL로 지정한 체인은 변경할 수 없습니다.',
  },
  'not-found': { meaning: '해당 대상이 없습니다.', advice: '경로의 ID를 확인하세요.' },
  'chain-unreachable': {
    meaning: '현재 체인이 응답하지 않습니다.',
    advice: '`/readyz`에 체인이 더 이상 나오지 않을 때까지 기다린 뒤 요청을 다시 보내세요.',
  },
  'chain-refused': {
    meaning: '내장 체인이 현재 상태에서 요청을 받지 않았습니다. 변경된 것은 없습니다.',
    advice: '메시지에 이유가 있습니다. 표시된 필드를 수정하세요.',
  },
  'run-under-way': {
    meaning: 'VASP는 적합성 검사를 한 번에 하나만 실행할 수 있습니다.',
    advice: '검사가 끝날 때까지 기다리거나 DELETE /sandbox/v1/runs/{id}로 중지하세요.',
  },
};
