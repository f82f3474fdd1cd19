import * as z from 'zod';
import { RunReport } from '../../contract/plans.ts';

export const reportSchema = () => z.toJSONSchema(RunReport);
