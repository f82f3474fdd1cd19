/** What the conditions of the plans ask for. */
export const conditions: Readonly<Record<string, string>> = {
  'No money moves.': '자금이 이동하지 않는다.',
  'The status of the answer is 200.': '응답의 상태 코드가 200이다.',
  'The body of the answer has the documented members and types.':
    '응답 본문의 멤버와 타입이 문서와 일치한다.',
  'A right payment after it is credited, once.': '그 뒤의 올바른 송금은 한 번 입금 처리된다.',
  'The reason belongs to the result.': '사유가 결과와 맞는다.',
  'The payment is not credited as if it were right.': '이 송금은 올바른 송금처럼 입금 처리되지 않는다.',
  '`assetInfo.amount` is decimal text.': '`assetInfo.amount`가 십진수 문자열이다.',
  '`isExceedingThreshold`, `tradePrice`, `tradeCurrency` and `tradeISODatetime` are present.':
    '`isExceedingThreshold`, `tradePrice`, `tradeCurrency`, `tradeISODatetime`이 모두 있다.',
  'Originator and beneficiary keep the constraints of IVMS101.': '송금인과 수취인이 IVMS101의 제약을 지킨다.',
  'The originator has the name of the customer who pays.': '송금인의 이름이 송금하는 고객의 이름과 같다.',
  'A date of birth of the originator is that of the customer who pays.':
    '송금인의 생년월일이 송금하는 고객의 생년월일과 같다.',
  'A place of birth of the originator is that of the customer who pays.':
    '송금인의 출생지가 송금하는 고객의 출생지와 같다.',
  'The account number of the originator is that of the customer who pays.':
    '송금인의 계정 번호가 송금하는 고객의 계정 번호와 같다.',
  'The answer comes within {}.': '응답이 {0} 안에 온다.',
  'The account numbers come back exactly as they were sent.': '계정 번호가 보낸 그대로 돌아온다.',
  'The answer holds no information that was not requested.': '응답에 요구하지 않은 정보가 없다.',
  'The same request has the same result when it comes again.': '같은 요청이 다시 오면 결과도 같다.',
  'The request has exactly one account number.': '요청에 계정 번호가 정확히 하나 있다.',
  'There is exactly one payment.': '송금이 정확히 한 번 있다.',
  'Every callback is answered within {}.': '모든 콜백에 {0} 안에 응답한다.',
  'Every callback is answered with exactly 200.': '모든 콜백에 정확히 200으로 응답한다.',
  'The request names the network of the symbol, or none.':
    '요청의 네트워크가 심볼의 네트워크이거나, 네트워크가 없다.',
  'An account verification of the same account comes before the user verification.':
    '사용자 검증 전에 같은 계정의 계정 검증을 요청한다.',
  'The result is {}.': '결과가 {0}이다.',
  'The customer is credited with the amount, once.': '고객에게 금액이 한 번 입금 처리된다.',
  'The VASP goes no further: no user verification, no payment.':
    'VASP가 더 진행하지 않는다. 사용자 검증도 송금도 하지 않는다.',
  'The answer is {}.': '응답이 {0}이다.',
  'The VASP requests the {} of the verification.': 'VASP가 검증에 대해 {0}을 요청한다.',
  monitoring: '모니터링',
  'sanction screening': '제재 스크리닝',
  'person screening': '인물 스크리닝',
  'The callback with the result is answered within {}.': '결과 콜백에 {0} 안에 응답한다.',
  'The callback with the result is answered with exactly 200.': '결과 콜백에 정확히 200으로 응답한다.',
  'The answer to its call is {}.': 'VASP의 호출에 대한 응답이 {0}이다.',
  'While the assessment is REGISTERED the VASP does not pay.':
    '평가가 REGISTERED인 동안 VASP는 송금하지 않는다.',
  'The answer names the person of the request with everything that was requested.':
    '응답이 요청한 사람을 요구한 정보와 함께 모두 제공한다.',
  'The answer keeps the standard IVMS101 of 2020.': '응답이 IVMS101 2020 표준을 지킨다.',
  'An answer tells nothing about the customer but the result.':
    '응답이 결과 외에 고객 정보를 알려 주지 않는다.',
  'An answer that is not VERIFIED tells nothing about the customer.':
    'VERIFIED가 아닌 응답은 고객 정보를 알려 주지 않는다.',
  'The VASP asks, and the result is {}.': 'VASP가 검증을 요청하고 결과가 {0}이다.',
  '`isExceedingThreshold` is true exactly when `tradePrice` is not less than the threshold.':
    '`tradePrice`가 기준 금액 이상일 때만 `isExceedingThreshold`가 true이다.',
  '`{}` has milliseconds.': '`{0}`에 밀리초가 있다.',
  '`tradeISODatetime` is the time of the price: of the last day, and not in the future.':
    '`tradeISODatetime`은 가격의 시각으로, 최근 하루 안이고 미래가 아니다.',
  '`verifiedAt` is the time of the answer.': '`verifiedAt`이 응답한 시각이다.',
  'The report names the payment of this verification.': '보고가 이 검증의 송금을 가리킨다.',
  'The answer is right for {}: {}.': '{0}에 대한 응답이 올바르다: {1}.',
  'another last and first name': '성과 이름이 모두 다른 경우',
  'another last name with the right first name': '성이 다르고 이름은 맞는 경우',
  'another first name with the right last name': '이름이 다르고 성은 맞는 경우',
  'the name of another customer': '다른 고객의 이름',
  'only the beginning of the last name': '성의 앞부분만 있는 경우',
  'a last name with another one behind it': '성 뒤에 다른 성이 붙은 경우',
  'a last name with one other letter': '성의 한 글자가 다른 경우',
  'only the initial of the first name': '이름의 머리글자만 있는 경우',
  'only the beginning of the first name': '이름의 앞부분만 있는 경우',
  'a first name with one other letter': '이름의 한 글자가 다른 경우',
  'the customer and a stranger': '고객과 다른 사람이 함께 있는 경우',
  'a company that the customer represents': '고객이 대표자인 다른 법인',
  'a person without any name': '이름이 없는 사람',
  'no beneficiary person': '수취인의 사람 정보가 없는 경우',
  'last and first name exchanged': '성과 이름이 서로 바뀐 경우',
  'a name without a letter': '글자가 없는 이름',
  'another name in the script of a name that is not ASCII': 'ASCII가 아닌 문자로 쓴 다른 이름',
  'the name in upper case': '대문자로 쓴 이름',
  'an alias as the first `nameIdentifier`, the name as the second':
    '첫째 `nameIdentifier`가 별칭, 둘째가 이름인 경우',
  'a name that is not ASCII, with the same name in `localNameIdentifier`':
    'ASCII가 아닌 이름이 `localNameIdentifier`에도 있는 경우',
  'the name, with its sound in `phoneticNameIdentifier`':
    '이름의 발음이 `phoneticNameIdentifier`에 있는 경우',
  'the account without a person': '사람 정보 없이 계정만 있는 경우',
  'another company with the right representative': '법인이 다르고 대표자는 맞는 경우',
  'the right company with another representative': '법인은 맞고 대표자가 다른 경우',
  'the representative without the company': '법인 없이 대표자만 있는 경우',
  'the right company without a representative': '법인은 맞고 대표자가 없는 경우',
  'only the beginning of the name of the company': '법인 이름의 앞부분만 있는 경우',
  'the name of the company with another one behind it': '법인 이름 뒤에 다른 이름이 붙은 경우',
  'a representative with the right last and another first name': '대표자의 성은 맞고 이름이 다른 경우',
  'the company with the second of its representatives': '법인과 그 둘째 대표자',
  "the customer's account and one of nobody": '고객의 계정과 누구의 것도 아닌 계정',
  "one account of nobody, then the customer's": '누구의 것도 아닌 계정, 그다음 고객의 계정',
  'an account that looks like that of the customer': '고객의 계정과 비슷해 보이는 계정',
  "the customer's account on the ledger of another symbol": '다른 심볼의 원장에 있는 고객의 계정',
  'a network that the symbol does not have': '심볼에 없는 네트워크',
  'a request without a network': '네트워크가 없는 요청',
  'the account in lower case': '소문자로 쓴 계정',
  'none on the XRP Ledger; on Ethereum the same or none':
    'XRP Ledger에서는 없는 계정, 이더리움에서는 같은 계정이거나 없는 계정',
  'the account with the destination tag 0': '데스티네이션 태그가 0인 계정',
  'the account without its destination tag': '데스티네이션 태그를 뺀 계정',
  'no result VERIFIED': 'VERIFIED가 아닌 결과',
  'DENIED / {} or {}': 'DENIED / {0} 또는 {1}',
  'VERIFIED / OK or {}': 'VERIFIED / OK 또는 {0}',
  'The VASP asks for the list of VASPs.': 'VASP가 VASP 목록을 요청한다.',
  'It asks before its first verification of this run.': '이 검사의 첫 검증 전에 요청한다.',
  'The body of the answer is {"result": true}.': '응답 본문이 {"result": true}이다.',
  '`tradePrice` is the price of the whole amount.': '`tradePrice`가 전체 수량의 가격이다.',
  'The VASP does not pay before the result.': '결과가 오기 전에 VASP가 송금하지 않는다.',
  'The VASP does not pay as long as no result has come.': '결과가 오지 않는 동안 VASP가 송금하지 않는다.',
  'The VASP does not pay as long as the assessment is REGISTERED.':
    '평가가 REGISTERED인 동안 VASP가 송금하지 않는다.',
  'Each of them is paid to its account with its amount, once.':
    '각 출금을 해당 계정에 해당 금액으로 한 번씩 송금한다.',
  'The VASP does not pay by a VERIFIED that has a wrong token.':
    '틀린 토큰으로 온 VERIFIED에 따라 VASP가 송금하지 않는다.',
  'Nothing is credited by a report or by a user verification that has a wrong token.':
    '틀린 토큰으로 온 보고나 사용자 검증에 따라 입금 처리하지 않는다.',
  'The hash is reported exactly as its node prints it.': '해시를 노드가 출력한 그대로 보고한다.',
  'The customer of the verification is credited with the amount, once.':
    '검증의 고객에게 금액이 한 번 입금 처리된다.',
  'The first customer is not credited.': '첫째 고객에게 입금 처리되지 않는다.',
  'A copy of the result that comes after the payment changes nothing.':
    '송금 뒤에 온 같은 결과는 아무것도 바꾸지 않는다.',
  '{} is answered within {}.': '{0}에 {1} 안에 응답한다.',
  '{} is answered with exactly 200.': '{0}에 정확히 200으로 응답한다.',
  '{} is answered with 200.': '{0}에 200으로 응답한다.',
  'The VASP reports the transaction within the set time.': 'VASP가 정해진 시간 안에 트랜잭션을 보고한다.',
  'The reported hash is that of a successful transaction on the chain.':
    '보고된 해시가 체인에서 성공한 트랜잭션의 해시이다.',
  'The transfer is made only after VERIFIED.': 'VERIFIED 뒤에만 송금한다.',
  'The transfer pays the verified address.': '검증된 주소로 송금한다.',
  'The transfer has the verified destination tag.': '검증된 데스티네이션 태그로 송금한다.',
  'The transfer has the verified amount.': '검증된 금액을 송금한다.',
  'One withdrawal opens one user verification.': '출금 한 건에 사용자 검증을 한 번 요청한다.',
  'The transaction is reported once.': '트랜잭션을 한 번 보고한다.',
  'No error report follows the transaction report.': '트랜잭션 보고 뒤에 오류 보고를 하지 않는다.',
  'The balance at the robot grows by the amount.': '로봇의 잔액이 그 금액만큼 늘어난다.',
  'The payment reaches the robot.': '송금이 로봇에 도착한다.',
  'The status and the hash are those of the chain.': '상태와 해시가 체인과 일치한다.',
  'The answer leads to the credit.': '응답에 따라 입금 처리된다.',
  'The VASP sends an error report, and the enclave accepts it.':
    'VASP가 오류를 보고하고 인클레이브가 받아들인다.',
  'The result becomes ERROR.': '결과가 ERROR가 된다.',
  'Every answer comes within {}.': '모든 응답이 {0} 안에 온다.',
  'The status of every answer is 200.': '모든 응답의 상태 코드가 200이다.',
  'Every answer has the documented members and types.': '모든 응답의 멤버와 타입이 문서와 일치한다.',
  'Every answer is PENDING or CANCELED.': '모든 응답이 PENDING 또는 CANCELED이다.',
  'No answer names a transaction.': '어느 응답에도 트랜잭션이 없다.',
  'The VASP reports again until its report is answered with 200.':
    'VASP가 200 응답을 받을 때까지 다시 보고한다.',
  'Every report of it names the same transaction.': '모든 보고가 같은 트랜잭션을 가리킨다.',
  'The reported transaction was sent before its report.': '보고된 트랜잭션은 보고 전에 전송되었다.',
  'While no block holds the transaction its status is PENDING or PROCESSING.':
    '트랜잭션이 블록에 포함되기 전에는 상태가 PENDING 또는 PROCESSING이다.',
  'The transaction is reported, however long its block takes.': '블록이 아무리 늦어도 트랜잭션을 보고한다.',
  'The call and the payment have exactly this amount.': '호출과 송금의 금액이 정확히 이 금액이다.',
  'The payment has the destination tag 0, which is not the same as none.':
    '송금의 데스티네이션 태그가 0이다. 0은 태그가 없는 것과 다르다.',
  'No money moves, unless a person of the VASP has decided so.':
    'VASP의 담당자가 결정하지 않는 한 자금이 이동하지 않는다.',
  'Where only ACCOUNT_NUMBER is wanted, the answer is VERIFIED and names nobody.':
    'ACCOUNT_NUMBER만 요구하면 응답은 VERIFIED이고 사람 정보가 없다.',
  'Where the name is wanted, the answer is VERIFIED and tells no date and no place of birth.':
    '이름을 요구하면 응답은 VERIFIED이고 생년월일과 출생지가 없다.',
  'Where only ACCOUNT_NUMBER of a legal person is wanted, the answer is VERIFIED and names nobody.':
    '법인의 ACCOUNT_NUMBER만 요구하면 응답은 VERIFIED이고 사람 정보가 없다.',
  'The answer for a legal person is VERIFIED and names no representative but the requested one.':
    '법인에 대한 응답은 VERIFIED이고 요구한 대표자만 있다.',
  'Every inquiry of this run is about a verification in which the VASP is the beneficiary.':
    '이 검사의 모든 상태 조회는 VASP가 수신 VASP인 검증에 대한 것이다.',
  'Every inquiry of this run is about a verification that exists.':
    '이 검사의 모든 상태 조회는 존재하는 검증에 대한 것이다.',
  'The VASP asks about one verification at most twice within 5 s.':
    'VASP가 한 검증을 5초에 두 번까지만 조회한다.',
  'Nothing is credited while no block holds the payment.':
    '송금이 블록에 포함되기 전에는 입금 처리되지 않는다.',
  'The VASP asks for the status of the transaction.': 'VASP가 트랜잭션 상태를 조회한다.',
  'The customer is then credited with the amount, once.': '그 뒤 고객에게 금액이 한 번 입금 처리된다.',
  'Nothing is credited.': '아무것도 입금 처리되지 않는다.',
  'The VASP asks for no transaction of it afterwards.': '그 뒤 VASP가 이 검증의 트랜잭션을 조회하지 않는다.',
  'The VASP asks for the transaction of the verification that was paid.':
    'VASP가 송금된 검증의 트랜잭션을 조회한다.',
  'The payment is credited once, not once for each candidate.':
    '송금은 후보마다가 아니라 한 번만 입금 처리된다.',
  'A later payment of the other verification is credited, too: the first one was not taken for it.':
    '다른 검증의 나중 송금도 입금 처리된다. 첫 송금을 그 검증의 것으로 처리하지 않았다.',
  'The second payment is not credited as if it were verified.':
    '둘째 송금은 검증된 송금처럼 입금 처리되지 않는다.',
  'The customer of the verified tag is not credited.': '검증된 태그의 고객에게 입금 처리되지 않는다.',
  'The payment is not credited again for the second verification.': '둘째 검증에 다시 입금 처리되지 않는다.',
  'No more than `delivered_amount` is credited, however large `Amount` is.':
    '`Amount`가 아무리 커도 `delivered_amount`까지만 입금 처리된다.',
  'A copy that comes after the credit changes nothing.':
    '입금 처리 뒤에 온 같은 콜백은 아무것도 바꾸지 않는다.',
  '{} answers 401 or 403 to a missing and to a wrong token.':
    '{0}이 없는 토큰과 틀린 토큰에 401 또는 403으로 응답한다.',
  '{} answers a wrong body, not with 5xx, and not as if it were right.':
    '{0}이 틀린 본문에 응답하되, 5xx가 아니고 올바른 요청처럼 응답하지도 않는다.',
  'A status query about an unknown verification names no transaction.':
    '알 수 없는 검증의 상태 조회에 트랜잭션을 알려 주지 않는다.',
  'A status query about a verification that the VASP receives names no transaction.':
    'VASP가 수신하는 검증의 상태 조회에 트랜잭션을 알려 주지 않는다.',
  'The same after a transaction report: it names no transaction of another VASP.':
    '트랜잭션 보고 뒤에도 다른 VASP의 트랜잭션을 알려 주지 않는다.',
  'Every address that is not local begins with https.': '로컬이 아닌 모든 주소가 https로 시작한다.',
  '{} answers 401 or 403 to a token that is nearly right.':
    '{0}이 거의 맞는 토큰에 401 또는 403으로 응답한다.',
};
