//! State that other libraries keep with an object: compiled kernels, tables, counters.

use std::any::{Any, TypeId};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, OnceLock};

/// One value for each requested type: a list to which values are only added, so that readers take no lock. There are a
/// handful of types at most.
#[derive(Default)]
pub(crate) struct Attachments(OnceLock<Box<Attachment>>);

// A panic in the program's `T::default` leaves the list intact, so the list is unwind-safe.
impl UnwindSafe for Attachments {}
impl RefUnwindSafe for Attachments {}

struct Attachment {
    id: TypeId,
    value: Arc<dyn Any + Send + Sync>,
    next: Attachments,
}

impl Attachments {
    /// Returns the value of type `T`, created by `Default` on first use. Threads that ask for it at the same time may
    /// each create a value; one of the values is kept.
    pub(crate) fn get<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        // `T::default` is the program's code, and may request other values.
        self.find().unwrap_or_else(|| self.add(Arc::new(T::default())))
    }

    fn find<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let mut list = std::iter::successors(self.0.get(), |attachment| attachment.next.0.get());
        let found = list.find(|attachment| attachment.id == TypeId::of::<T>())?;
        Arc::clone(&found.value).downcast().ok()
    }

    /// Adds a value at the end, unless another thread has added one first. Returns the value in the list.
    fn add<T: Any + Send + Sync>(&self, new: Arc<T>) -> Arc<T> {
        let mut end = self;
        loop {
            let attachment = || {
                Box::new(Attachment {
                    id: TypeId::of::<T>(),
                    value: new.clone(),
                    next: Attachments::default(),
                })
            };
            let attachment = end.0.get_or_init(attachment);
            if attachment.id == TypeId::of::<T>()
                && let Ok(value) = Arc::clone(&attachment.value).downcast()
            {
                return value;
            }
            end = &attachment.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::OnceLock;

    static ASKED: OnceLock<Attachments> = OnceLock::new();

    #[derive(Debug, PartialEq)]
    struct Inner(u32);

    impl Default for Inner {
        fn default() -> Inner {
            Inner(7)
        }
    }

    struct Outer(Arc<Inner>);

    impl Default for Outer {
        fn default() -> Outer {
            Outer(ASKED.get_or_init(Attachments::default).get())
        }
    }

    #[test]
    fn a_default_may_ask_for_another_value() {
        let attachments = ASKED.get_or_init(Attachments::default);
        let outer = attachments.get::<Outer>();
        assert_eq!(*outer.0, Inner(7));
        assert!(Arc::ptr_eq(&outer.0, &attachments.get()));
        assert!(Arc::ptr_eq(&outer, &attachments.get()));
    }
}
