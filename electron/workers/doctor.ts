import { serveWorker } from '../platform/worker-rpc';
import {
  serveDoctorWorker,
  type DoctorWorkerEvents,
  type DoctorWorkerMethods,
} from '../platform/doctor-worker';

serveWorker<DoctorWorkerMethods, DoctorWorkerEvents>((_options, emit) => serveDoctorWorker(emit));
