import type { ReactNode } from 'react';
import { Button } from './button';

/** The one button that a view without anything to show leads on by. */
export const mainButton = (label: string, onPress: () => void): ReactNode => (
  <Button variant="primary" onPress={onPress}>
    {label}
  </Button>
);
