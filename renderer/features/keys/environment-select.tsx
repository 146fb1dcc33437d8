import { toEnvironmentOptions } from '../../session/environment-options';
import { Select } from '../../ui/select';
import { useKeysStore } from './keys-store';

const unbound = ':none';

/** The environment that a key signs in alone; null: it is bound to none. */
export function EnvironmentSelect({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (id: string | null) => void;
}) {
  const environments = useKeysStore((state) => state.environments);
  return (
    <Select
      label="Signs in"
      options={[{ id: unbound, label: 'No environment' }, ...toEnvironmentOptions(environments, value)]}
      selected={value ?? unbound}
      onSelect={(id) => onChange(id === unbound ? null : id)}
    />
  );
}
