// A verification, asked with the client that openapi-generator makes of the document for Kotlin.
import org.openapitools.client.apis.EnclaveVerificationsApi
import org.openapitools.client.apis.SandboxSetUpApi
import org.openapitools.client.models.*

fun person(last: String, first: String): Person {
    val name = NaturalPersonNameIdentifier(primaryIdentifier = last, secondaryIdentifier = first, nameIdentifierType = "LEGL")
    val born = DateAndPlaceOfBirth(dateOfBirth = "1990-02-28", placeOfBirth = "Seoul")
    return Person(naturalPerson = NaturalPerson(name = NaturalPersonName(nameIdentifier = listOf(name)), dateAndPlaceOfBirth = born))
}

fun main(argv: Array<String>) {
    val (url, account) = argv
    val enclave = EnclaveVerificationsApi(url)
    val info = SandboxSetUpApi(url).getSandboxInfo()
    val user = info.users.first { it.id == "taylor-robbins" }
    val names = user.names.actualInstance as PersonNames
    val request = VerifyUserRequest(
        keyType = KeyType.PerVasp,
        beneficiaryVaspId = info.robot.vaspId,
        requiredBeneficiaryInfo = "NATURAL_PERSON_NAME,ACCOUNT_NUMBER",
        assetInfo = AssetInfo(
            symbol = "ETH",
            amount = "0.5",
            isExceedingThreshold = true,
            tradePrice = "2439800",
            tradeCurrency = "KRW",
            tradeISODatetime = "2022-03-03T12:45:34.085Z",
        ),
        payload = VerifyUserRequestPayload(
            version = "1.0",
            ivms101 = VerifyUserRequestPayloadIvms101(
                originator = Originator(originatorPersons = listOf(person("Barnes", "Robert")), accountNumber = listOf(account)),
                beneficiary = Beneficiary(
                    beneficiaryPersons = listOf(person(names.lastName, names.firstName)),
                    accountNumber = listOf(user.accounts.ETH!!),
                ),
            ),
        ),
    )
    val uuid = enclave.verifyUser(request).verificationUuid.toString()
    repeat(300) {
        enclave.getVerification(uuid).result?.let { return println("verification ${it.value}") }
        Thread.sleep(100)
    }
    error("There is no result.")
}
