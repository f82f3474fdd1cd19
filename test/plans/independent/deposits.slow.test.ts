import { DEPOSITS } from '../wrong-vasps.ts';
import { playWrongVasps } from './play-wrong-vasps.ts';

playWrongVasps(DEPOSITS);
