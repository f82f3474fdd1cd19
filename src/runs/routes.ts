import type * as z from 'zod';
import { MAX_EXPECTED_FAILURES, type RunReport } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { control, type Endpoint } from '../http/endpoint.ts';
import { listPlans } from '../plans/catalogue.ts';
import { html } from '../plans/report/html.ts';
import { junit } from '../plans/report/junit.ts';
import { markdown } from '../plans/report/markdown.ts';
import { masked } from '../plans/report/mask.ts';
import { type Places, places } from '../sandbox/places.ts';
import { type ReportQuery, type RunQuery, runCalls } from '../sandbox/runs/schema.ts';
import { transferCalls } from '../sandbox/transfers.ts';
import type { RunsDeps } from './deps.ts';
import { sendTransfer } from './send-transfer.ts';

/** What plays by the API of the program: the test runs, and a deposit in one call. */
export const runEndpoints = (
  deps: RunsDeps,
  waiting = places('waiting reads of runs'),
): Record<'robot' | 'both', Endpoint[]> => ({
  both: [
    control(runCalls.plans, {
      access: 'vasp or operator',
      summary: 'List the plans of test runs: modules and conditions with their clauses',
      run: ({ query }) => listPlans(query),
    }),
    control(runCalls.startRun, {
      refusals: ['address-not-allowed', 'run-under-way'],
      summary: 'Start a test run; it goes on by itself',
      description:
        'A VASP has one run at a time. The run moves the clock of the VASP unless `clock` is `real`. Events of kind `run` tell how it goes.',
      success: 201,
      examples: { 'the shortest': { body: { plan: 'security', modules: ['S4'], unattended: true } } },
      maxElements: MAX_EXPECTED_FAILURES,
      run({ body }, caller) {
        const problem = body.driver && deps.enclave.guard.problemOf(body.driver.url);
        if (problem !== undefined) throw refusals.addressNotAllowed('driver.url', problem);
        return { id: deps.runs.start(body, caller) };
      },
    }),
    control(runCalls.runs, {
      summary: 'List the test runs, newest first',
      run: ({ query }, caller) => ({ runs: deps.runs.list(caller, query.limit) }),
    }),
    control(runCalls.run, {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Read a test run with all its evidence, also while it goes on',
      run: ({ params, query, signal }, caller) => readRun(deps, params.id, query, caller, { signal, waiting }),
    }),
    control(runCalls.stopRun, {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Stop a test run; its report stays',
      async run({ params }, caller) {
        await deps.runs.stopRun(params.id, caller);
        return { result: true as const };
      },
    }),
    ...reportEndpoints(deps),
  ],
  robot: [
    control(transferCalls.sendTransfer, {
      refusals: ['not-found', 'unknown-address'],
      summary: 'Send me a deposit: the robot verifies, gets money, pays and reports',
      description:
        'The steps of a deposit test in one call. The robot need not have been paid before where the chain is embedded. ' +
        'It answers when the report was sent to you, or at the step that failed.',
      callbacks: ['TX_REPORT', 'ERROR_REPORT'],
      examples: { default: { body: { symbol: 'ETH', amount: '0.5' } } },
      run: ({ body }, caller) => sendTransfer(deps, body, caller),
    }),
  ],
});

/** Throws `Refusal` not-found, too-many. */
async function readRun(
  { runs, stopping }: RunsDeps,
  id: string,
  { wait = 0, exchangesOf }: z.output<typeof RunQuery>,
  caller: CallerId,
  { signal, waiting }: { signal: () => AbortSignal; waiting: Places },
): Promise<RunReport> {
  if (wait > 0) await waiting.wait(wait, [signal(), stopping], until => runs.ended(id, caller, until));
  return withExchangesOf(runs.report(id, caller), exchangesOf);
}

/** The exchanges are most of a report: who looks often leaves them out. */
function withExchangesOf(report: RunReport, positions: string | undefined): RunReport {
  if (positions === undefined) return report;
  const wanted = new Set(positions.split(','));
  const modules = report.modules.map((module, position) =>
    wanted.has(String(position)) ? module : { ...module, exchanges: [] },
  );
  return { ...report, modules };
}

const ofRun = { refusals: ['not-found'], precondition: 'run-started' } as const;

/** The report of a run in each of its forms. */
const reportEndpoints = ({ runs, certify }: RunsDeps): Endpoint[] => {
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
