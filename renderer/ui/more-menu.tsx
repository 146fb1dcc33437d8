import { Ellipsis } from 'lucide-react';
import { IconButton } from './button';
import { Menu, type MenuAction } from './menu';

/** The menu behind three dots: what is done less often. */
export function MoreMenu({
  label,
  buttonLabel = 'More',
  actions,
}: {
  label: string;
  buttonLabel?: string;
  actions: readonly MenuAction[];
}) {
  const trigger = (
    <IconButton label={buttonLabel}>
      <Ellipsis size={15} />
    </IconButton>
  );
  return <Menu label={label} trigger={trigger} actions={actions} />;
}
