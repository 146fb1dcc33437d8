import type { AppStatus } from '@shared/contract/app';
import { describe, expect, it } from 'vitest';
import { toneOfEnvironment, toneOfKind } from './environment-tone';

const status = (kind: AppStatus['environment']['kind'], state: AppStatus['sandbox']['state']): AppStatus =>
  ({ environment: { kind }, sandbox: { state } }) as AppStatus;

describe('toneOfEnvironment', () => {
  it('is green for the local environment only while its sandbox runs', () => {
    expect(toneOfEnvironment(status('local', 'running'))).toBe('good');
    expect(toneOfEnvironment(status('local', 'stopped'))).toBe('quiet');
    expect(toneOfEnvironment(status('local', 'failed'))).toBe('bad');
  });

  it('tells production from another sandbox, whatever ours does', () => {
    expect(toneOfEnvironment(status('production', 'running'))).toBe('bad');
    expect(toneOfEnvironment(status('sandbox', 'running'))).toBe('warn');
  });

  it('gives one that is not in use the colour that it has in use', () => {
    expect(toneOfKind('local', 'running')).toBe('good');
    expect(toneOfKind('sandbox', 'running')).toBe('warn');
    expect(toneOfKind('production', 'stopped')).toBe('bad');
  });
});
