import { contextBridge, ipcRenderer, webUtils } from 'electron';

/**
 * The one bridge: a call, a subscription, and where a file is that the user dropped. No channel name, no Electron object and no Node function
 * reaches the page.
 */
contextBridge.exposeInMainWorld('countersign', {
  host: 'electron',
  call: (method: unknown, input: unknown) =>
    ipcRenderer.invoke('countersign:call', String(method), input) as Promise<unknown>,
  subscribe: (listener: (name: string, payload: unknown) => void) => {
    const forward = (_event: unknown, name: string, payload: unknown): void => listener(name, payload);
    ipcRenderer.on('countersign:event', forward);
    return () => {
      ipcRenderer.removeListener('countersign:event', forward);
    };
  },
  pathOf: (file: File) => webUtils.getPathForFile(file),
});
