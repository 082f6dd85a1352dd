// Search on pages that were opened from disk, where browsers allow no workers: a hidden frame in a worker's place.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        if (this.onmessage) this.onmessage(event);
        this.dispatchEvent(event);
      };
      this.ready = new Promise((done, failed) => {
        const script = frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = () => done(inside);
        script.onerror = failed;
        frame.contentDocument.body.append(script);
      });
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
