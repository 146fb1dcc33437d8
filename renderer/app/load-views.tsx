import { viewList, type ViewId } from '@shared/actions/view-list';
import { useEffect, type ComponentType } from 'react';
import { fetchLater, later } from '../ui/later';
import { Skeleton } from '../ui/spinner';

type LoadModule = () => Promise<Record<string, ComponentType>>;
const modules = import.meta.glob<Record<string, ComponentType>>('../features/*/*-view.tsx');

/** Loads a view from its folder; each file of a view exports that view alone. */
export async function loadView(id: ViewId): Promise<ComponentType> {
  const load: LoadModule | undefined = modules[`../features/${id}/${id}-view.tsx`];
  const [View] = load ? Object.values(await load()) : [];
  if (!View) throw new Error(`features/${id}/${id}-view.tsx exports no view.`);
  return function LoadedView() {
    useEffect(() => void fetchLater(), []);
    return <View />;
  };
}

/** Each view is loaded when first shown; once one stands there, so is what it did without. */
export const viewComponents = Object.fromEntries(
  viewList.map(({ id }) => [
    id,
    later(() => loadView(id), { instead: () => <Skeleton lines={6} />, isSeldom: true }),
  ]),
) as Record<ViewId, ComponentType>;
