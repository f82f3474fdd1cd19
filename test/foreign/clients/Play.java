// A verification, asked with the client that openapi-generator makes of the document for Java.
import java.math.BigDecimal;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.EnclaveVerificationsApi;
import org.openapitools.client.api.SandboxSetUpApi;
import org.openapitools.client.model.*;

public class Play {
  static Person person(String last, String first) {
    var name = new NaturalPersonNameIdentifier();
    name.primaryIdentifier(last).secondaryIdentifier(first).nameIdentifierType("LEGL");
    var born = new DateAndPlaceOfBirth().dateOfBirth("1990-02-28").placeOfBirth("Seoul");
    var names = new NaturalPersonName().nameIdentifier(List.of(name));
    return new Person().naturalPerson(new NaturalPerson().name(names).dateAndPlaceOfBirth(born));
  }

  public static void main(String[] argv) throws Exception {
    var client = new ApiClient().setBasePath(argv[0]);
    var enclave = new EnclaveVerificationsApi(client);
    var info = new SandboxSetUpApi(client).getSandboxInfo();
    var user = info.getUsers().stream().filter(each -> each.getId().equals("taylor-robbins")).findFirst().get();
    var names = user.getNames().getPersonNames();
    var asset = new AssetInfo().symbol("ETH").amount("0.5").isExceedingThreshold(true).tradePrice("2439800")
        .tradeCurrency("KRW").tradeISODatetime("2022-03-03T12:45:34.085Z");
    var originator = new Originator().originatorPersons(List.of(person("Barnes", "Robert"))).accountNumber(List.of(argv[1]));
    var payee = person(names.getLastName(), names.getFirstName());
    var beneficiary = new Beneficiary().beneficiaryPersons(List.of(payee)).accountNumber(List.of(user.getAccounts().getETH()));
    var ivms101 = new VerifyUserRequestPayloadIvms101().originator(originator).beneficiary(beneficiary);
    var request = new VerifyUserRequest().keyType(KeyType.PER_VASP).beneficiaryVaspId(info.getRobot().getVaspId())
        .requiredBeneficiaryInfo("NATURAL_PERSON_NAME,ACCOUNT_NUMBER").assetInfo(asset)
        .payload(new VerifyUserRequestPayload().version("1.0").ivms101(ivms101));
    var uuid = enclave.verifyUser(request).getVerificationUuid();
    for (int times = 0; times < 300; times++) {
      var result = enclave.getVerification(uuid.toString()).getResult();
      if (result != null) {
        System.out.println("verification " + result);
        return;
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException("There is no result.");
  }
}
