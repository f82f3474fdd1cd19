import {
  type ConditionReport,
  type ModuleReport,
  type RunReport,
  type RunResult,
  scopeOf,
} from '../../contract/plans.ts';
import { foreignText } from '../../contract/text.ts';
import { hasFailed, nameOf } from '../outcome.ts';
import { fitted } from './fitted.ts';

const MAX_BYTES = 5_000_000;

/** JUnit XML as GitHub, GitLab and Jenkins read it: one test case for each condition. */
export const junit = (report: RunReport): string => fitted(report, MAX_BYTES, render);

function render(report: RunReport, note?: string): string {
  const plans = [...new Set(report.modules.map(({ plan }) => plan))];
  const suites = plans.map(plan =>
    suite(
      plan,
      report.modules.filter(module => module.plan === plan),
    ),
  );
  const problem = problemOf(report);
  if (problem) suites.push(runSuite(problem));
  return `<?xml version="1.0" encoding="UTF-8"?>${note === undefined ? '' : `\n<!-- ${note} -->`}
<testsuites name="robot-vasp ${xml(scopeOf(report))}" ${figures(report.modules, problem ? 1 : 0)} time="${seconds(report.modules)}">
${suites.join('\n')}
</testsuites>
`;
}

const suite = (plan: string, modules: readonly ModuleReport[]): string =>
  `  <testsuite name="${plan}" ${figures(modules)} time="${seconds(modules)}">
${modules.flatMap(module => module.conditions.map((each, index) => testcase(module, each, index === 0))).join('\n')}
  </testsuite>`;

interface RunProblem {
  name: string;
  type: RunResult;
  message: string;
}

/** Red also where no condition is. The judgements at the end of a stopped run are missing. */
function problemOf(report: RunReport): RunProblem | undefined {
  const message = report.problem?.message ?? `plan ${scopeOf(report)}`;
  if (report.stopped) return { name: 'The run reaches its end.', type: 'INTERRUPTED', message };
  if (report.problem?.of === 'SANDBOX') return { name: 'The sandbox does its part.', type: 'ERROR', message };
  if (report.endedAt !== null && report.plans.every(({ result }) => result === 'NOT-JUDGED'))
    return { name: 'A condition is judged.', type: 'NOT-JUDGED', message };
  return undefined;
}

const runSuite = ({ name, type, message }: RunProblem): string =>
  `  <testsuite name="run" ${figures([], 1)} time="0.000">
    <testcase classname="run" name="${xml(name)}" time="0.000">
${error(type, message)}    </testcase>
  </testsuite>`;

const error = (type: RunResult, message: string): string =>
  `      <error type="${type}" message="${xml(message)}">${xml(message)}</error>\n`;

/** It was not judged, and the VASP has no part in that. */
const isBroken = ({ status, result: ofModule }: ModuleReport, { result }: ConditionReport): boolean =>
  result === 'SKIPPED' && (status === 'INTERRUPTED' || ofModule === 'ERROR');

/** `more`: errors that belong to no condition. */
function figures(modules: readonly ModuleReport[], more = 0): string {
  const all = modules.flatMap(({ conditions }) => conditions);
  const failures = all.filter(hasFailed).length;
  const broken = modules.flatMap(module => module.conditions.filter(each => isBroken(module, each)));
  const skipped = all.filter(({ result }) => result === 'SKIPPED').length - broken.length;
  return `tests="${all.length + more}" failures="${failures}" errors="${broken.length + more}" skipped="${skipped}"`;
}

const seconds = (modules: readonly ModuleReport[]): string =>
  (modules.reduce((all, { durationMs }) => all + (durationMs ?? 0), 0) / 1000).toFixed(3);

/** The first condition carries the time of its module. */
function testcase(module: ModuleReport, condition: ConditionReport, isFirst: boolean): string {
  const name = nameOf(module);
  const time = isFirst ? ((module.durationMs ?? 0) / 1000).toFixed(3) : '0.000';
  const lines = [
    `${condition.result}: ${condition.text}`,
    `clause: ${condition.clause}`,
    ...(condition.expected === null ? [] : [`expected: ${condition.expected}`]),
    ...(condition.got === null ? [] : [`got: ${condition.got}`]),
    ...correlations(module, condition).map(uuid => `verification: ${uuid}`),
    ...(module.note ? [`note: ${module.note}`] : []),
  ];
  return `    <testcase classname="${xml(`${module.plan}.${name}`)}" name="${xml(`${condition.id}: ${condition.text}`)}" time="${time}">
${outcome(module, condition)}      <system-out>${xml(lines.join('\n'))}</system-out>
    </testcase>`;
}

function outcome(module: ModuleReport, condition: ConditionReport): string {
  if (hasFailed(condition)) {
    const message = `expected ${condition.expected ?? '-'}, got ${condition.got ?? '-'} (${condition.clause})`;
    return `      <failure type="${condition.result}" message="${xml(message)}">${xml(message)}</failure>\n`;
  }
  if (condition.result !== 'SKIPPED') return '';
  if (isBroken(module, condition))
    return error(
      module.status === 'INTERRUPTED' ? 'INTERRUPTED' : 'ERROR',
      module.skippedBecause ?? module.note ?? 'The run was stopped.',
    );
  return `      <skipped message="${xml(module.skippedBecause ?? 'It could not be judged.')}"/>\n`;
}

const correlations = (module: ModuleReport, { exchanges }: ConditionReport): string[] => {
  const cited = module.exchanges.filter(({ id }) => exchanges.includes(id));
  return [...new Set(cited.flatMap(({ verificationUuid }) => verificationUuid ?? []))];
};

/** XML 1.0 allows no other control characters, so each line is shown as D-51 says. */
const xml = (text: string): string =>
  text
    .split('\n')
    .map(foreignText)
    .join('\n')
    .toWellFormed()
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
