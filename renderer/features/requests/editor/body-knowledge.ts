export { completeBody, describeBody } from '@shared/body/complete-body';
export { listFieldProblems } from './field-problems';
export { readUsedValues } from './used-values';
