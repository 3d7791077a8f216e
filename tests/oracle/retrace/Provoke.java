import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FilePermission;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.SocketPermission;
import java.nio.charset.StandardCharsets;
import java.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Makes libraries fail deep inside: calls their public methods with invalid arguments, and prints the stacks.
 *
 * <pre>
 * java Provoke list JAR...   prints the calls that can be made, one on each line: class, constructor's types or "-", method, its types, what it returns (words between TABs)
 * java Provoke run PLAN      makes the calls of such a list, each in three ways, and prints "# LINE WAY" and the stack for each that failed
 * </pre>
 */
public final class Provoke {
    private static final int WAYS = 3;
    private static final int MILLISECONDS = 1000;

    private Provoke() {
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("list")) {
            for (int i = 1; i < arguments.length; i++) {
                list(arguments[i]);
            }
        } else {
            run(arguments[1]);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    // --- what can be called

    private static void list(String path) throws Exception {
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(path)) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
                String name = entries.nextElement().getName();
                if (name.endsWith(".class") && name.indexOf('-') < 0) {
                    names.add(name.substring(0, name.length() - 6).replace('/', '.'));
                }
            }
        }
        Collections.sort(names);
        for (String name : names) {
            listClass(name);
        }
    }

    private static void listClass(String name) {
        try {
            Class<?> holder = Class.forName(name, false, Provoke.class.getClassLoader());
            if (Modifier.isPublic(holder.getModifiers())) {
                listMethods(holder);
            }
        } catch (LinkageError | ReflectiveOperationException | RuntimeException unusable) {
            // The class needs another one that is not on the class path.
        }
    }

    private static void listMethods(Class<?> holder) throws ReflectiveOperationException {
        Constructor<?> maker = shortest(holder);
        Method[] methods = holder.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(method -> method.getName() + types(method)));
        for (Method method : methods) {
            boolean fixed = Modifier.isStatic(method.getModifiers());
            if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && (fixed || maker != null)) {
                System.out.println(holder.getName() + "\t" + (fixed ? "-" : types(maker)) + "\t" + method.getName() + "\t" + types(method) + "\t"
                        + nameOf(method.getReturnType()));
            }
        }
    }

    private static Constructor<?> shortest(Class<?> holder) {
        if (Modifier.isAbstract(holder.getModifiers()) || holder.isEnum()) {
            return null;
        }
        Constructor<?>[] makers = holder.getConstructors();
        Arrays.sort(makers, Comparator.comparing((Constructor<?> maker) -> maker.getParameterCount()).thenComparing(Provoke::types));
        return makers.length == 0 ? null : makers[0];
    }

    private static String types(Executable called) {
        StringBuilder text = new StringBuilder();
        for (Class<?> type : called.getParameterTypes()) {
            text.append(text.length() == 0 ? "" : ",").append(nameOf(type));
        }
        return text.toString();
    }

    private static String nameOf(Class<?> type) {
        return type.isArray() ? nameOf(type.getComponentType()) + "[]" : type.getName();
    }

    // --- calling

    private static void run(String plan) throws Exception {
        final PrintStream out = new PrintStream(System.out, false, "UTF-8");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(new FileInputStream(plan), StandardCharsets.UTF_8))) {
            System.setSecurityManager(new Guard());
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String[] words = line.split("\t", -1);
                for (int way = 0; way < WAYS; way++) {
                    report(out, number, way, failure(words, way));
                }
            }
        }
        out.flush();
    }

    private static void report(PrintStream out, int number, int way, Throwable failure) {
        if (failure == null || failure instanceof VirtualMachineError || failure instanceof ThreadDeath) {
            return;
        }
        cut(failure, new IdentityHashMap<>());
        out.println("# " + number + " " + way);
        try {
            print(failure, "", "", out, new IdentityHashMap<>());
        } catch (RuntimeException unprintable) {
            out.println();
        }
    }

    /** Prints as printStackTrace does, but without "... 5 more": the number of frames that two stacks share changes if methods are inlined. */
    private static void print(Throwable failure, String indent, String caption, PrintStream out, Map<Throwable, Boolean> seen) {
        if (seen.put(failure, true) != null) {
            out.println(indent + caption + "[CIRCULAR REFERENCE: " + failure + "]");
            return;
        }
        out.println(indent + caption + failure);
        for (StackTraceElement element : failure.getStackTrace()) {
            out.println(indent + "\tat " + element);
        }
        for (Throwable other : failure.getSuppressed()) {
            print(other, indent + "\t", "Suppressed: ", out, seen);
        }
        if (failure.getCause() != null) {
            print(failure.getCause(), indent, "Caused by: ", out, seen);
        }
    }

    /** Removes the frames that called the method: those of this program and of reflection, which differ from run to run. */
    private static void cut(Throwable failure, Map<Throwable, Boolean> seen) {
        if (failure == null || seen.put(failure, true) != null) {
            return;
        }
        StackTraceElement[] stack = failure.getStackTrace();
        for (int i = 0; i < stack.length; i++) {
            String name = stack[i].getClassName();
            if (name.startsWith("jdk.internal.reflect.") || name.startsWith("java.lang.reflect.") || name.startsWith("Provoke")) {
                failure.setStackTrace(Arrays.copyOf(stack, i));
                break;
            }
        }
        cut(failure.getCause(), seen);
        for (Throwable other : failure.getSuppressed()) {
            cut(other, seen);
        }
    }

    /** Returns the exception that a call throws; null if it throws none, or does not end in time. */
    @SuppressWarnings("deprecation")
    private static Throwable failure(final String[] words, final int way) throws InterruptedException {
        final Throwable[] result = new Throwable[1];
        Thread thread = new Thread(() -> {
            try {
                call(words, way);
            } catch (InvocationTargetException failed) {
                result[0] = failed.getCause();
            } catch (Throwable notCalled) {
                // The call could not be made.
            }
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(MILLISECONDS);
        if (thread.isAlive()) {
            thread.stop();
            return null;
        }
        return result[0];
    }

    private static void call(String[] words, int way) throws Exception {
        Class<?> holder = Class.forName(words[0]);
        Class<?>[] types = typesOf(words[3]);
        Object self = null;
        if (!words[1].equals("-")) {
            Class<?>[] wanted = typesOf(words[1]);
            self = holder.getConstructor(wanted).newInstance(values(wanted, way));
        }
        holder.getDeclaredMethod(words[2], types).invoke(self, values(types, way));
    }

    private static Class<?>[] typesOf(String text) throws ClassNotFoundException {
        String[] names = text.isEmpty() ? new String[0] : text.split(",");
        Class<?>[] types = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            types[i] = typeOf(names[i]);
        }
        return types;
    }

    private static Class<?> typeOf(String name) throws ClassNotFoundException {
        if (name.endsWith("[]")) {
            return Array.newInstance(typeOf(name.substring(0, name.length() - 2)), 0).getClass();
        }
        for (Class<?> type : new Class<?>[] {int.class, long.class, short.class, byte.class, char.class, boolean.class, float.class, double.class}) {
            if (type.getName().equals(name)) {
                return type;
            }
        }
        return Class.forName(name, false, Provoke.class.getClassLoader());
    }

    private static Object[] values(Class<?>[] types, int way) {
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = value(types[i], way);
        }
        return values;
    }

    private static Object value(Class<?> type, int way) {
        if (type.isPrimitive()) {
            return primitive(type, way);
        }
        if (way == 0) {
            return null;
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), way - 1);
        }
        if (type.isAssignableFrom(String.class)) {
            return way == 1 ? "" : "x:{[(1 \u0000";
        }
        if (type.isAssignableFrom(ArrayList.class)) {
            return new ArrayList<>(Arrays.asList(way == 1 ? new Object[0] : new Object[] {null}));
        }
        try {
            return type == Class.class ? Object.class : type.getConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError unusable) {
            return null;
        }
    }

    private static Object primitive(Class<?> type, int way) {
        int number = way == 0 ? 0 : way == 1 ? -1 : 77777;
        if (type == boolean.class) {
            return way != 0;
        }
        if (type == char.class) {
            return (char) number;
        }
        return type == int.class ? (Object) number
                : type == long.class ? (Object) (long) number
                : type == short.class ? (Object) (short) number
                : type == byte.class ? (Object) (byte) number
                : type == float.class ? (Object) (float) number : (Object) (double) number;
    }

    /** Forbids the libraries to change anything on the machine; they may fail for this. */
    private static final class Guard extends SecurityManager {
        @Override
        public void checkPermission(Permission permission) {
            boolean file = permission instanceof FilePermission && !permission.getActions().equals("read");
            String name = permission.getName();
            if (file || permission instanceof SocketPermission || name.startsWith("exitVM") || name.equals("setSecurityManager")
                    || name.equals("setIO") || name.equals("stopThread") && !Thread.currentThread().getName().equals("main")) {
                throw new SecurityException("not here: " + name);
            }
        }
    }
}
