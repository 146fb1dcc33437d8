import { expect, it } from 'vitest';
import { formatEnvironmentId, labelEnvironment, localEnvironmentId } from './environment-id';

it('calls the local sandbox by its name before the environments are read', () => {
  expect(labelEnvironment(localEnvironmentId, [])).toBe('Local sandbox');
  expect(labelEnvironment(formatEnvironmentId('data', 'local'), [])).toBe('local');
});
