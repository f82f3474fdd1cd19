import type { readTimeline } from '../timeline/read.ts';
import type { Payment } from './payments.ts';
import type { Callback, Entry } from './schema.ts';

export type TimelineEntry = ReturnType<typeof readTimeline>['timeline'][number];
/** Everything that an explanation says something about. */
export interface Known {
  entry: Entry;
  timeline: readonly TimelineEntry[];
  pending: ReturnType<typeof readTimeline>['pending'];
  callbacks: readonly Callback[];
  /** Fitting payments that no verification has. */
  unnamed: readonly Payment[];
  /** The counterparty is the robot. */
  isOfRobot: boolean;
}
