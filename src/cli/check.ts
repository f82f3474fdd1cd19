import { PLANS, type RunProblem, type RunReport } from '../contract/plans.ts';
import { CHECK_OPTIONS } from './check/options.ts';
import { command, EXIT_CODES, Failure } from './command.ts';
import { goOnWithout, type Interrupted } from './output.ts';

const check = command({
  summary: 'plays a test run against your VASP and ends with a verdict',
  details:
    'Without --url it starts a sandbox in memory, configured by the usual variables such as VEGA_VERIFICATION_API_PATH. Your VASP acts by its driver endpoint, otherwise by hand.',
  args: [{ name: '<plan>', meaning: `${PLANS.join(', ')}; default: complete`, choices: PLANS, isOptional: true }],
  options: CHECK_OPTIONS,
  exits: {
    0: 'judged, and no condition failed except those that were expected to fail; REVIEW names what a person must look at',
    1: 'a condition failed, an expected failure did not happen, modules were skipped, nothing was judged, or somebody else stopped the run',
    3: 'nobody answers: the sandbox, your VASP or its driver endpoint',
    4: 'trouble of the sandbox or of a ledger, or the sandbox refused the run: nothing is said about your VASP',
    129: EXIT_CODES[129],
    130: 'Ctrl-C stopped the run; its files are written',
    143: 'SIGTERM stopped the run; its files are written',
  },
  examples: [
    'robot-vasp check --init',
    'robot-vasp check deposit --customers customers.json',
    'robot-vasp check --customers customers.json --driver http://127.0.0.1:3000/driver --unattended --junit junit.xml --summary summary.md',
  ],
  async run({ args: [plan], values, print, printList, progress, isJson }) {
    const checking = await import('./check/run.ts');
    if (values.list) {
      const { text, modules } = checking.listing();
      printList(text, modules);
      return 0;
    }
    if (values.schema) {
      const schema = checking.reportSchema();
      print(JSON.stringify(schema, null, 2), schema);
      return 0;
    }
    if (values.init) {
      const file = values.customers ?? 'customers.json';
      print(await checking.writeExample(file), { file });
      return 0;
    }
    const order = checking.orderOf(plan, values);
    const failures = checking.expectedFailures(values['expected-failures']);
    await checking.requirePlaces(values);
    goOnWithout('reader');
    const sandbox = await checking.openSandbox(values);
    try {
      const { play } = await import('./check/play.ts');
      const { masked } = await import('../plans/report/mask.ts');
      const shown = (all: RunReport) => (values['with-personal-data'] ? all : masked(all));
      const { report, interrupted } = await play(sandbox.api, order, {
        print: text => isJson || print(text, undefined),
        progress,
        shown,
      });
      if (report.problem) {
        await checking.writeFiles(sandbox.api, report, values);
        throw unplayable(report, shown(report).problem!);
      }
      const { summary } = await import('./check/summary.ts');
      const { text, exitCode } = summary(shown(report), { failures, skipped: values['allow-skipped'] });
      print(text, isJson && (await checking.reportAs('json', sandbox.api, report.id, values)));
      await checking.writeFiles(sandbox.api, report, values);
      if (report.stopped) throw stopped(interrupted);
      return exitCode;
    } finally {
      await sandbox.close();
    }
  },
});
export const commands = { check };

const unplayable = ({ stopped }: RunReport, { of, message }: RunProblem): Failure =>
  new Failure(of === 'SANDBOX' ? 4 : stopped ? 1 : 3, of, message);

const stopped = (interrupted: Interrupted | undefined): Failure =>
  new Failure(interrupted ?? 1, 'STOPPED', 'the run was stopped before its last module');
