import type { RunReport } from '../../contract/plans.ts';

/** Members of messages that hold a person's data. */
const PERSONAL =
  /^(primaryIdentifier|secondaryIdentifier|legalPersonName|dateOfBirth|placeOfBirth|nationality|countryOfResidence|customerIdentification|nationalIdentifier|addressLine|streetName|buildingName|buildingNumber|postcode|townName|aggregatedSummaryResult)$/;
const MASK = '***';

/** The report without the data of persons. The shape of every message stays. */
export const masked = (report: RunReport): RunReport => ({
  ...report,
  modules: report.modules.map(module => ({
    ...module,
    exchanges: module.exchanges.map(each => ({
      ...each,
      request: maskedBody(each.request),
      response: maskedBody(each.response),
    })),
  })),
});

/** A body that was cut is no JSON: only its texts of personal members are replaced. */
export function maskedBody(body: string | null): string | null {
  if (body === null) return null;
  try {
    return JSON.stringify(JSON.parse(body), (member, value) =>
      PERSONAL.test(member) && value !== null ? maskedValue(value) : value,
    );
  } catch {
    return body.replace(/"(\w+)":"((?:[^"\\]|\\.)*)"?/g, (text, member: string) =>
      PERSONAL.test(member) ? `"${member}":"${MASK}"` : text,
    );
  }
}

const maskedValue = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(() => MASK) : typeof value === 'object' ? value : MASK;
