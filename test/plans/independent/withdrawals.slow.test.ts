import { WITHDRAWALS } from '../wrong-vasps.ts';
import { playWrongVasps } from './play-wrong-vasps.ts';

playWrongVasps(WITHDRAWALS);
