import type { Answers } from './client.ts';

export type { RunReport } from '../contract/plans.ts';
export type { EventData } from '../sandbox/events/schema.ts';
export type { ScenarioGroup } from '../sandbox/scenarios/schema.ts';
export type { Answers } from './client.ts';
export type Info = Answers['info'];
export type RobotUser = Info['users'][number];
