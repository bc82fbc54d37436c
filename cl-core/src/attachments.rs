//! State that other libraries keep with an object: compiled kernels, tables, counters.

use std::any::{Any, TypeId};
use std::sync::{Arc, PoisonError, RwLock};

/// One value of any type, for each type that somebody asked for.
#[derive(Default)]
pub(crate) struct Attachments(RwLock<Vec<(TypeId, Arc<dyn Any + Send + Sync>)>>);

impl Attachments {
    /// The value of type `T`, created by `Default` on first use. Threads that ask for it at the same
    /// time may each create one, of which one is kept.
    pub(crate) fn get<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        // There are a handful of types at most, so a list is searched faster than a table.
        let find = |list: &[(TypeId, Arc<dyn Any + Send + Sync>)]| {
            let (_, value) = list.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
            Arc::clone(value).downcast().ok()
        };
        if let Some(value) = find(&self.0.read().unwrap_or_else(PoisonError::into_inner)) {
            return value;
        }
        // Without the lock: `T::default` is the program's, and may ask for other values.
        let new = Arc::new(T::default());
        let mut list = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = find(&list) {
            drop(list);
            return value;
        }
        list.push((TypeId::of::<T>(), new.clone()));
        new
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
