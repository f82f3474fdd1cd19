"""A withdrawal, played with the client that openapi-generator makes of the document."""

import sys
import time

from openapi_client import *
from openapi_client.models import *

url, account = sys.argv[1:]
api = ApiClient(Configuration(host=url))
enclave = EnclaveVerificationsApi(api)


def until(ask):
    for _ in range(300):
        answer = ask()
        if answer:
            return answer
        time.sleep(0.1)
    raise SystemExit("it did not happen")


def person(last, first):
    name = NaturalPersonNameIdentifier(primaryIdentifier=last, secondaryIdentifier=first, nameIdentifierType="LEGL")
    born = DateAndPlaceOfBirth(dateOfBirth="1990-02-28", placeOfBirth="Seoul")
    names = NaturalPersonName(nameIdentifier=[name])
    return Person(naturalPerson=NaturalPerson(name=names, dateAndPlaceOfBirth=born))


info = SandboxSetUpApi(api).get_sandbox_info()
user = next(user for user in info.users if user.id == "taylor-robbins")
names = user.names.actual_instance
payee = person(names.last_name, names.first_name)
request = VerifyUserRequest(
    keyType=KeyType.PERVASP,
    beneficiaryVaspId=info.robot.vasp_id,
    requiredBeneficiaryInfo="NATURAL_PERSON_NAME,ACCOUNT_NUMBER",
    assetInfo=AssetInfo(
        symbol="ETH",
        amount="0.5",
        isExceedingThreshold=True,
        tradePrice="2439800",
        tradeCurrency="KRW",
        tradeISODatetime="2022-03-03T12:45:34.085Z",
    ),
    payload=VerifyUserRequestPayload(
        version="1.0",
        ivms101=VerifyUserRequestPayloadIvms101(
            originator=Originator(originatorPersons=[person("Barnes", "Robert")], accountNumber=[account]),
            beneficiary=Beneficiary(beneficiaryPersons=[payee], accountNumber=[user.accounts.eth]),
        ),
    ),
)
uuid = str(enclave.verify_user(request).verification_uuid)
result = until(lambda: enclave.get_verification(uuid).result)
if result != Result.VERIFIED:
    raise SystemExit(result)
paid = SandboxProvokeApi(api).post_sandbox_faucet(
    FaucetRequest(
        symbol="ETH",
        address=user.accounts.eth,
        amount="0.5",
        others=[FaucetRequestOthersInner(address=account, amount="0.000000000000000001")],
    )
)
enclave.report_transaction(ReportTransactionRequest(verificationUuid=uuid, txHash=paid.tx_hash))


def credited():
    entries = SandboxLookApi(api).get_sandbox_verifications(search=uuid).verifications
    return next((entry.money for entry in entries if entry.report and entry.report.verdict == "CREDITED"), None)


print(f"withdrawal {until(credited).status}")
