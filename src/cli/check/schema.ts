import * as z from 'zod';
import { RunReport } from '../../contract/plans.ts';

/** The JSON Schema of the report, as the package ships it. */
export const reportSchema = () => z.toJSONSchema(RunReport);
