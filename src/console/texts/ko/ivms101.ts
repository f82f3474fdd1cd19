import type { Translation } from '../english.ts';

export const ivms101: Translation['ivms101'] = {
  intro:
    'IVMS101이 들어 있는 JSON을 붙여 넣으세요. 요청 전체, `payload`, 송금인, 수취인, 개인 또는 법인 모두 가능합니다. 2020년 표준의 조항별로 검사합니다. 저장하거나 전송하지 않습니다.',
  payload: 'JSON 형식의 IVMS101',
  check: '검사',
  notJson: (line, column, message) => `올바른 JSON이 아닙니다: ${line}행 ${column}열: ${message}.`,
  found: (dialect, failures, warnings) =>
    failures + warnings === 0
      ? `형식 ${dialect}: 오류가 없습니다.`
      : `형식 ${dialect}: 오류 ${failures}건, 경고 ${warnings}건.`,
  flaws: '발견된 문제',
  severity: '심각도',
  path: '경로',
  wholePayload: '페이로드 전체',
  flaw: '문제',
  wanted: '올바른 값',
  clause: '조항',
  clauses: {
    C1: '개인인 송금인에게는 주소, 고객 번호, 국가 신분증, 생년월일과 출생지 중 하나가 있습니다.',
    C2: '생년월일은 과거의 날짜입니다.',
    C3: '국가는 ISO 3166-1 alpha-2 코드 또는 XX입니다.',
    C4: '법인인 송금인에게는 GEOG 유형의 주소, 고객 번호, 국가 등록 번호 중 하나가 있습니다.',
    C5: '법인에게는 LEGL 유형의 이름이 있습니다.',
    C6: '개인에게는 LEGL 유형의 이름이 있습니다.',
    C7: '법인의 국가 등록 번호는 RAID, MISC, LEIX, TXID 유형 중 하나입니다.',
    C8: '주소에는 주소 행이 있거나, 도로명과 함께 건물 이름 또는 건물 번호가 있습니다.',
    C9: '법인에게는 발급 국가가 없으며, LEIX 유형이 아닐 때에만 등록 기관이 있습니다.',
    C10: '등록 기관은 GLEIF 목록의 코드입니다.',
    C11: 'LEIX 유형의 식별자는 ISO 17442의 LEI입니다.',
    C12: '전송 경로의 VASP 번호는 0부터 빠짐없이 이어집니다.',
  },
};
