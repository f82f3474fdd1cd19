import type { Client } from '../../client/client.ts';
import type { RunReport } from '../../contract/plans.ts';
import { requireWritable, writeText } from '../input.ts';
import type { CheckValues } from './options.ts';

const FORMS = { report: 'json', junit: 'xml', html: 'html', summary: 'md', certificate: 'jws' } as const;

/** The files that are asked for, and the form of each. */
const filesOf = (values: CheckValues) =>
  Object.entries(FORMS).flatMap(([option, form]) => {
    const path = values[option as keyof typeof FORMS];
    return path === undefined ? [] : [{ path, form, where: `--${option}: ${path}` }];
  });

/** A run can be long: what it could not write is refused before. */
export async function requirePlaces(values: CheckValues): Promise<void> {
  for (const { path, where } of filesOf(values)) await requireWritable(path, where);
}

/** The sandbox makes every form of the report. */
export async function writeFiles(api: Client, { id }: RunReport, values: CheckValues): Promise<void> {
  for (const { path, form, where } of filesOf(values)) {
    const body = await reportAs(form, api, id, values);
    const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`;
    await writeText(path, text, where);
  }
}

/** Data of persons are masked unless an option wants them. */
export async function reportAs(form: string, api: Client, id: string, values: CheckValues): Promise<unknown> {
  const query = `?withPersonalData=${values['with-personal-data']}`;
  const { body } = await api.call<unknown>('GET', `/sandbox/v1/runs/${id}/report.${form}${query}`);
  return body;
}
