import { Component, type ReactNode } from 'react';
import { Button } from './button';
import { EmptyState } from './empty-state';
import { ErrorLine } from './error-line';

interface State {
  error: Error | null;
}

interface ErrorBoundaryProps {
  name: string;
  children: ReactNode;
  /** What stands in its place; left out: the error, and a way to try again. */
  instead?: ReactNode;
}

/** Keeps a view that failed from taking the window with it; `name` says which one. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (this.props.instead !== undefined) return this.props.instead;
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
