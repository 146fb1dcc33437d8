/**
 * Keeps a file that is dropped where no view takes it from being shown in place of the app. Fields for files stay as they are.
 *
 * @returns ends it
 */
export function holdDroppedFiles(): () => void {
  const hold = (event: DragEvent): void => {
    const isForField = event.target instanceof HTMLInputElement && event.target.type === 'file';
    if (event.dataTransfer?.types.includes('Files') && !isForField) event.preventDefault();
  };
  window.addEventListener('dragover', hold);
  window.addEventListener('drop', hold);
  return () => {
    window.removeEventListener('dragover', hold);
    window.removeEventListener('drop', hold);
  };
}
