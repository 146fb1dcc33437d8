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
    if (isMissingPart(error)) return <PartMissing name={this.props.name} />;
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

/** A part of the page that loads when it is first shown; each engine says it in its own words. */
const isMissingPart = ({ message }: Error): boolean =>
  /dynamically imported module|importing a module script failed|unable to preload/i.test(message);

/** The same page asks for the same file again: only a page that is loaded anew knows the parts that there are now. */
function PartMissing({ name }: { name: string }) {
  return (
    <EmptyState
      title={`${name} could not be loaded`}
      action={<Button onPress={() => location.reload()}>Reload the window</Button>}
    >
      Its part of the app is not there: the app has ended, or was replaced by another version while this
      window was open. Reloading shows what runs now; what was typed and not saved is lost.
    </EmptyState>
  );
}
