import type * as z from 'zod';
import type { CallerId } from '../contract/tenancy.ts';
import { control, type Endpoint } from '../http/endpoint.ts';
import { html } from '../plans/report/html.ts';
import { junit } from '../plans/report/junit.ts';
import { markdown } from '../plans/report/markdown.ts';
import { masked } from '../plans/report/mask.ts';
import { type ReportQuery, runCalls } from '../sandbox/runs/schema.ts';
import type { RunsDeps } from './deps.ts';

const ofRun = { refusals: ['not-found'], precondition: 'run-started' } as const;

/** The report of a run in each of its forms. */
export const reportEndpoints = ({ runs, certify }: RunsDeps): Endpoint[] => {
  const load = (id: string, { withPersonalData }: z.output<typeof ReportQuery>, caller: CallerId) => {
    const report = runs.report(id, caller);
    return withPersonalData === 'true' ? report : masked(report);
  };
  return [
    control(runCalls.reportJson, {
      ...ofRun,
      summary: 'Read the report of a run as JSON',
      run: ({ params, query }, caller) => load(params.id, query, caller),
    }),
    control(runCalls.reportXml, {
      ...ofRun,
      summary: 'Read the report of a run as JUnit XML',
      mediaType: 'application/xml',
      responseExample: '<?xml version="1.0"?><testsuites></testsuites>',
      run: ({ params, query }, caller) => junit(load(params.id, query, caller)),
    }),
    control(runCalls.reportHtml, {
      ...ofRun,
      summary: 'Read the report of a run as one web page',
      mediaType: 'text/html',
      responseExample: '<!doctype html><title>Report</title>',
      run: ({ params, query }, caller) => html(load(params.id, query, caller)),
    }),
    control(runCalls.reportMarkdown, {
      ...ofRun,
      summary: 'Read the summary of a run as Markdown',
      mediaType: 'text/markdown',
      responseExample: '# Report',
      run: ({ params, query }, caller) => markdown(load(params.id, query, caller)),
    }),
    control(runCalls.reportSigned, {
      ...ofRun,
      summary: 'Read the signed report of a run: its certificate',
      description: 'A compact JWS (EdDSA) over the JSON report. `robot-vasp verify-report` checks it.',
      mediaType: 'application/jose',
      responseExample: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
      run: ({ params, query }, caller) => certify(load(params.id, query, caller)),
    }),
  ];
};
