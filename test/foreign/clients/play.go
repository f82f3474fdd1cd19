// A withdrawal, played with the client that oapi-codegen makes of the document.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
)

func must[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

func data[T any](answer *T, body []byte) *T {
	if answer == nil {
		panic(string(body))
	}
	return answer
}

func until[T any](ask func() *T) *T {
	for range 300 {
		if answer := ask(); answer != nil {
			return answer
		}
		time.Sleep(100 * time.Millisecond)
	}
	panic("it did not happen")
}

func person(last, first string) []Person {
	legal, born, place := "LEGL", "1990-02-28", "Seoul"
	names := []NaturalPersonNameIdentifier{{PrimaryIdentifier: &last, SecondaryIdentifier: &first, NameIdentifierType: &legal}}
	return []Person{{NaturalPerson: &NaturalPerson{
		Name:                &NaturalPersonName{NameIdentifier: &names},
		DateAndPlaceOfBirth: &DateAndPlaceOfBirth{DateOfBirth: &born, PlaceOfBirth: &place},
	}}}
}

func main() {
	url, account := os.Args[1], os.Args[2]
	now := context.Background()
	client := must(NewClientWithResponses(url, WithHTTPClient(&http.Client{})))

	asked := must(client.GetSandboxInfoWithResponse(now))
	info := data(asked.JSON200, asked.Body)
	var user RobotUser
	for _, each := range info.Users {
		if each.Id == "taylor-robbins" {
			user = each
		}
	}
	names := must(user.Names.AsPersonNames())

	request := VerifyUserRequest{
		KeyType:                 "PerVasp",
		BeneficiaryVaspId:       info.Robot.VaspId,
		RequiredBeneficiaryInfo: "NATURAL_PERSON_NAME,ACCOUNT_NUMBER",
		AssetInfo: AssetInfo{
			Symbol: "ETH", Amount: "0.5", IsExceedingThreshold: true,
			TradePrice: "2439800", TradeCurrency: "KRW", TradeISODatetime: "2022-03-03T12:45:34.085Z",
		},
	}
	request.Payload.Version = "1.0"
	request.Payload.Ivms101 = VerifyUserRequest_Payload_Ivms101{
		Originator:  Originator{OriginatorPersons: person("Barnes", "Robert"), AccountNumber: []string{account}},
		Beneficiary: Beneficiary{BeneficiaryPersons: person(names.LastName, names.FirstName), AccountNumber: []string{user.Accounts.ETH}},
	}
	started := must(client.VerifyUserWithResponse(now, request))
	uuid := data(started.JSON200, started.Body).VerificationUuid.String()
	result := until(func() *Result {
		answer := must(client.GetVerificationWithResponse(now, uuid))
		return data(answer.JSON200, answer.Body).Result
	})
	if *result != "VERIFIED" {
		panic(*result)
	}

	paid := must(client.PostSandboxFaucetWithResponse(now, FaucetRequest{Symbol: "ETH", Address: user.Accounts.ETH, Amount: "0.5"}))
	hash := data(paid.JSON200, paid.Body).TxHash
	reported := must(client.ReportTransactionWithResponse(now, ReportTransactionRequest{VerificationUuid: uuid, TxHash: hash}))
	data(reported.JSON200, reported.Body)
	money := until(func() *VerificationMoney {
		answer := must(client.GetSandboxVerificationsWithResponse(now, &GetSandboxVerificationsParams{Search: &uuid}))
		for _, each := range data(answer.JSON200, answer.Body).Verifications {
			if each.Report != nil && each.Report.Verdict == "CREDITED" {
				return each.Money
			}
		}
		return nil
	})
	fmt.Printf("withdrawal %s\n", money.Status)
}
