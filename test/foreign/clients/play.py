"""A withdrawal and a deposit, played with the client that openapi-python-client makes of the document."""

import sys
import time

from robot_client import Client
from robot_client.api.enclave_verifications import (
    get_verification,
    inquire_transaction,
    report_transaction,
    verify_user,
)
from robot_client.api.robot import robot_verify_user, robot_withdraw
from robot_client.api.sandbox_look import get_sandbox_verifications
from robot_client.api.sandbox_provoke import post_sandbox_faucet
from robot_client.api.sandbox_set_up import get_sandbox_info
from robot_client.models import *

url, account = sys.argv[1:]
client = Client(base_url=url)


def data(answer):
    if isinstance(answer, ErrorBody) or answer is None:
        raise SystemExit(f"refused: {answer}")
    return answer


def until(ask):
    for _ in range(300):
        answer = ask()
        if answer:
            return answer
        time.sleep(0.1)
    raise SystemExit("it did not happen")


def person(last, first):
    name = NaturalPersonNameIdentifier(last, first, "LEGL")
    return Person(
        natural_person=NaturalPerson(
            name=NaturalPersonName(name_identifier=[name]),
            date_and_place_of_birth=DateAndPlaceOfBirth("1990-02-28", "Seoul"),
        )
    )


def request(vasp_id, amount, payer, payee):
    return VerifyUserRequest(
        key_type=KeyType.PERVASP,
        beneficiary_vasp_id=vasp_id,
        required_beneficiary_info="NATURAL_PERSON_NAME,ACCOUNT_NUMBER",
        asset_info=AssetInfo(
            symbol="ETH",
            amount=amount,
            is_exceeding_threshold=True,
            trade_price="2439800",
            trade_currency="KRW",
            trade_iso_datetime="2022-03-03T12:45:34.085Z",
        ),
        payload=VerifyUserRequestPayload(
            version="1.0",
            ivms101=VerifyUserRequestPayloadIvms101(
                originator=Originator(originator_persons=[payer[0]], account_number=[payer[1]]),
                beneficiary=Beneficiary(beneficiary_persons=[payee[0]], account_number=[payee[1]]),
            ),
        ),
    )


def verified(started):
    uuid = str(started.verification_uuid)
    ended = until(lambda: data(get_verification.sync(uuid, client=client)).result or None)
    if ended != Result.VERIFIED:
        raise SystemExit(ended)
    return uuid


info = data(get_sandbox_info.sync(client=client))
user = next(user for user in info.users if user.id == "taylor-robbins")
theirs = (person(user.names.last_name, user.names.first_name), user.accounts.eth)
ours = (person("Barnes", "Robert"), account)

withdrawal = verified(data(verify_user.sync(client=client, body=request(info.robot.vasp_id, "0.5", ours, theirs))))
paid = data(post_sandbox_faucet.sync(client=client, body=FaucetRequest(symbol="ETH", address=theirs[1], amount="0.5")))
data(report_transaction.sync(client=client, body=ReportTransactionRequest(withdrawal, paid.tx_hash)))


def credited():
    entries = data(get_sandbox_verifications.sync(client=client, search=withdrawal)).verifications
    return next((entry.money for entry in entries if entry.report and entry.report.verdict == "CREDITED"), None)


money = until(credited)

deposit = verified(
    data(robot_verify_user.sync(client=client, body=request(info.vasp.vasp_id, "0.25", theirs, ours)))
)
data(robot_withdraw.sync(client=client, body=WithdrawRequest(deposit)))


def confirmed():
    status = data(inquire_transaction.sync(client=client, body=InquireTransactionRequest(deposit)))
    return status if status.transaction_status == TransactionStatus.CONFIRMED else None


print(f"withdrawal {money.status}, deposit {until(confirmed).transaction_status}")
