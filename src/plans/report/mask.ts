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

/** A member and its value: a text, or a list of texts. Either may be cut. */
const MEMBER = /"(\w+)"\s*:\s*(?:"(?:[^"\\]|\\.)*"?|\[(?:[\s,]|"(?:[^"\\]|\\.)*"?)*\]?)/g;
const BEGINS_LIKE_JSON = /^\s*[[{]\s*["[{]/;

/** A body that was cut is no JSON: its personal members are replaced. Of any other text nobody knows the members. */
export function maskedBody(body: string | null): string | null {
  if (body === null) return null;
  try {
    return JSON.stringify(JSON.parse(body), (member, value) =>
      PERSONAL.test(member) && value !== null ? maskedValue(value) : value,
    );
  } catch {
    if (!BEGINS_LIKE_JSON.test(body)) return `${MASK} (not JSON, ${body.length} characters)`;
    return body.replace(MEMBER, (text, member: string) =>
      PERSONAL.test(member) ? `"${member}":"${MASK}"` : text,
    );
  }
}

const maskedValue = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(() => MASK) : typeof value === 'object' ? value : MASK;
