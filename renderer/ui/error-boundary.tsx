import { Component, type ReactNode } from 'react';
import { Button } from './button';
import { EmptyState } from './empty-state';
import { ErrorLine } from './error-line';

interface State {
  error: Error | null;
}

/** Keeps a view that failed from taking the window with it; `name` says which one. */
export class ErrorBoundary extends Component<{ name: string; children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <EmptyState
        title={`${this.props.name} could not be drawn`}
        action={<Button onPress={() => this.setState({ error: null })}>Try again</Button>}
      >
        <ErrorLine error={{ message: error.message, code: 'app.renderer' }} />
      </EmptyState>
    );
  }
}
