import type { AppStatus } from '@shared/contract/app';
import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../transport/transport';
import { toneOfEnvironment, toneOfKind } from './environment-tone';

const told = (
  kind: AppStatus['environment']['kind'],
  state: AppStatus['sandbox']['state'],
  connection: ConnectionState = 'online',
): Parameters<typeof toneOfEnvironment>[0] => ({
  status: { environment: { kind }, sandbox: { state } } as AppStatus,
  connection,
});

describe('toneOfEnvironment', () => {
  it('is green for the local environment only while its sandbox runs', () => {
    expect(toneOfEnvironment(told('local', 'running'))).toBe('good');
    expect(toneOfEnvironment(told('local', 'stopped'))).toBe('quiet');
    expect(toneOfEnvironment(told('local', 'failed'))).toBe('bad');
  });

  it('claims nothing of a sandbox whose back end is not heard', () => {
    expect(toneOfEnvironment(told('local', 'running', 'offline'))).toBe('quiet');
    expect(toneOfEnvironment(told('local', 'running', 'refused'))).toBe('quiet');
    expect(toneOfEnvironment(told('production', 'running', 'offline'))).toBe('bad');
    expect(toneOfEnvironment({ status: null, connection: 'connecting' })).toBe('quiet');
  });

  it('tells production from another sandbox, whatever ours does', () => {
    expect(toneOfEnvironment(told('production', 'running'))).toBe('bad');
    expect(toneOfEnvironment(told('sandbox', 'running'))).toBe('warn');
  });

  it('gives one that is not in use the colour that it has in use', () => {
    expect(toneOfKind('local', 'running')).toBe('good');
    expect(toneOfKind('sandbox', 'running')).toBe('warn');
    expect(toneOfKind('production', 'stopped')).toBe('bad');
  });
});
